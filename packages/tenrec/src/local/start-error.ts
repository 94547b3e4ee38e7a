/** What keeps the server from running and the user can do something about: printed without a stack. */
export class StartError extends Error {
  override readonly name = "StartError";
}
