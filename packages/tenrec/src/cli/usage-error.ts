/** A command line that cannot be understood, or that lacks something only the user can give. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
