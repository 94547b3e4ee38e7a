/** A request that a server does not accept; `status` and `code` are as the provider would give them. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }
}
