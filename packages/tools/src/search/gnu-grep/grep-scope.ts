import type { SearchScope } from "@tenrec/protocol";
import { nameTest } from "../command/name-test.ts";
import type { Options } from "../command/read-options.ts";
import type { SearchShell } from "../command/search-shell.ts";
import { linesIn } from "./lines-in.ts";

/** What a command line names, without what its own options leave out. */
export async function namesInScope(
  shell: SearchShell,
  options: Options,
  names: readonly string[],
): Promise<readonly string[]> {
  const rules = options.all("include", "exclude");
  const folders = options.values("exclude-dir").map(nameTest);
  if (rules.length + folders.length === 0) return names;
  const kept: string[] = [];
  for (const name of names) {
    const base = name.replace(/\/+$/, "").split("/").at(-1) ?? "";
    const stat =
      name === "-" || name === "" ? undefined : await shell.fs.stat(shell.resolve(name)).catch(() => undefined);
    const last = rules.findLast(({ value }) => nameTest(value)(base));
    const isLeftOut = stat?.isDirectory
      ? folders.some((test) => test(base))
      : stat !== undefined && (last ? last.name === "exclude" : rules[0]?.name === "include");
    if (!isLeftOut) kept.push(name);
  }
  return kept;
}

/** What recursion goes into: everything, but for what options leave out. */
export async function scopeOf(shell: SearchShell, options: Options): Promise<SearchScope> {
  const excluded = await Promise.all(options.values("exclude-from").map((file) => linesIn(shell, file)));
  const globs = options.all("include", "exclude", "exclude-dir").map(({ name, value }) => {
    const glob = value.replace(/^\.\//, "").replace(/\/$/, "");
    return name === "include" ? glob : name === "exclude" ? `!${glob}` : `!${glob}/`;
  });
  const [first] = options.all("include", "exclude");
  // Only when it begins with what to include are other files left out.
  if (first?.name === "exclude" && options.has("include")) globs.unshift("*");
  return {
    hidden: true,
    noIgnore: true,
    follow: options.last("recursive", "dereference-recursive")?.name === "dereference-recursive",
    globs: [...globs, ...excluded.flat().map((glob) => `!${glob}`)],
  };
}
