/** What keeps the server from running and the user can do something about: printed without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Somebody took the port between the look for a free one and its use. Only worth another try when any port will do. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof StartError && error.message.includes("Address already in use");
}
