/** A command cannot go on: what it says on stderr, behind its name. Its exit code is 2. */
export class CommandError extends Error {}
