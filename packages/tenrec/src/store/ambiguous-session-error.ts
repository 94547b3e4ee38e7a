/** The beginning of an id that several sessions have. */
export class AmbiguousSessionError extends Error {
  override readonly name = "AmbiguousSessionError";
  readonly code = "session-ambiguous";
  readonly data: { readonly prefix: string; readonly candidates: readonly string[] };

  constructor(prefix: string, candidates: readonly string[]) {
    super(`Several sessions begin with "${prefix}": ${candidates.join(", ")}. Give more of the id.`);
    this.data = { prefix, candidates };
  }
}
