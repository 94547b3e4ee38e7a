/** Commands that need a tier beyond the isolate: a process, a network, a native binary. */
export const HEAVY_COMMANDS: ReadonlySet<string> = new Set(
  (
    "node npm npx pnpm yarn corepack bun bunx deno tsc tsx vitest jest eslint prettier biome oxlint wrangler " +
    "python python3 pip pip3 uv pytest ruby bundle perl php composer java javac mvn gradle " +
    "cargo rustc go gcc g++ clang cmake make docker git gh curl wget ssh patch"
  ).split(" "),
);

/** Those that are left for an executor where the shell has these commands of its own. */
export function heavyCommandsBeside(own: readonly { readonly name: string }[]): ReadonlySet<string> {
  const names = new Set(own.map(({ name }) => name));
  return new Set([...HEAVY_COMMANDS].filter((name) => !names.has(name)));
}

/** Of these, what usually takes its place in the isolate. */
const INSTEAD: Readonly<Record<string, string>> = {
  git: "The tools ls, glob and grep look at files; history is not in reach here.",
  patch: "Use the edit tool.",
  npm: "`npm install <names>` and `npm uninstall <names>` write package.json and package-lock.json here.",
  pnpm: "Its lockfile is for it alone to write: change package.json, and say that the lockfile is to be brought up to date.",
  yarn: "Its lockfile is for it alone to write: change package.json, and say that the lockfile is to be brought up to date.",
  bun: "Its lockfile is for it alone to write: change package.json, and say that the lockfile is to be brought up to date.",
  perl: "sed and awk are here.",
};

/** What to do about commands that could not run. `executors` are the names of those that refused the command line. */
export function missingCommandsNote(names: readonly string[], executors: readonly string[]): string {
  const list = [...new Set(names)];
  const verb = list.length === 1 ? "needs" : "need";
  const why = executors.length
    ? `${executors.join(", ")} would not run this command line`
    : "this agent has none configured";
  const instead = list.map((name) => INSTEAD[name]).filter((text) => text !== undefined);
  const advice = instead.length ? instead : ["Go on without it, and say in your answer what was not run."];
  return `[${list.join(", ")} ${verb} an executor (an isolate for code, or a container), and ${why}. ${advice.join(" ")}]`;
}
