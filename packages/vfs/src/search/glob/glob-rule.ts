import { globTest } from "./glob-test.ts";

/** One line of an ignore file, or one `-g` glob: the two share their syntax, that of gitignore with `{a,b}` added. */
export interface GlobRule {
  /** As it was written. */
  readonly text: string;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  /** The one name that it is about, wherever it stands. */
  readonly plainName?: string;
  /** The ending of the names that it is about, from the last dot on, wherever they stand. */
  readonly extension?: string;
  /** `path` is relative to where the rule stands, `name` its last name. */
  matches(path: string, name: string): boolean;
}

const EXTENSION = /^\*(\.[^*?[\]{}\\/.]+)$/;
const ANYWHERE = /^\*\*\/(?!\*\*$)[^/[]+$/;
const PLAIN = /^[^*?[\]{}\\/]+$/;

/** `undefined` for text that says nothing: blank, or a lone `!` or `/`. `GlobError` when it is not valid. */
export function parseGlobRule(text: string, ignoreCase = false): GlobRule | undefined {
  const negated = text.startsWith("!");
  let glob = negated ? text.slice(1) : text;
  const directoryOnly = glob.endsWith("/");
  // Of `a\/` the backslash goes with the slash.
  if (directoryOnly) glob = glob.replace(/\\?\/$/, "");
  // `**/a` is `a`, which says more about the names that may match.
  if (ANYWHERE.test(glob)) glob = glob.slice(3);
  const anchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  if (glob === "") return undefined;
  // A final `/**` stands for everything inside, not for the directory itself.
  const inside = glob.endsWith("/**") ? `${glob}/*` : glob;
  const test = globTest(inside, { ignoreCase });
  const rule = { text, negated, directoryOnly };
  if (anchored) return { ...rule, matches: test };
  // A class can match the slash between two names.
  if (glob.includes("[")) {
    const anywhere = globTest(`**/${glob}`, { ignoreCase });
    return { ...rule, matches: (path, name) => test(name) || anywhere(path) };
  }
  const matches = (_path: string, name: string): boolean => test(name);
  if (ignoreCase) return { ...rule, matches };
  const [, extension] = EXTENSION.exec(glob) ?? [];
  if (extension !== undefined) return { ...rule, extension, matches };
  return PLAIN.test(glob) ? { ...rule, plainName: glob, matches } : { ...rule, matches };
}
