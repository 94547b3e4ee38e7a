import { Minimatch } from "minimatch";

/** One line of an ignore file, or one `-g` glob: the two share their syntax, that of gitignore with `{a,b}` added. */
export interface GlobRule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** `path` is relative to where the rule stands, `name` its last name. */
  matches(path: string, name: string): boolean;
}

const MAGIC = /[*?[\]{}\\]/;

/** `undefined` for text that says nothing: blank, or a lone `!` or `/`. A comment is not known here. */
export function parseGlobRule(text: string): GlobRule | undefined {
  const negated = text.startsWith("!");
  let glob = negated ? text.slice(1) : text;
  const directoryOnly = glob.endsWith("/");
  if (directoryOnly) glob = glob.slice(0, -1);
  const anchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  if (glob === "") return undefined;
  const test = globTest(glob);
  return { negated, directoryOnly, matches: anchored ? test : (_path, name) => test(name) };
}

/** The last rule that matches; `undefined` when none does. */
export function lastMatch(
  rules: readonly GlobRule[],
  path: string,
  name: string,
  isDirectory: boolean,
): GlobRule | undefined {
  return rules.findLast((rule) => (isDirectory || !rule.directoryOnly) && rule.matches(path, name));
}

/** Minimatch runs in time linear in pattern and path, whatever the pattern. */
function globTest(glob: string): (path: string) => boolean {
  if (!MAGIC.test(glob)) return (path) => path === glob;
  // A final `/**` stands for everything inside, not for the directory itself.
  const inside = glob.endsWith("/**") ? `${glob}/*` : glob;
  const matcher = new Minimatch(inside, {
    dot: true,
    nocomment: true,
    nonegate: true,
    noext: true,
    platform: "linux",
  });
  return (path) => matcher.match(path);
}
