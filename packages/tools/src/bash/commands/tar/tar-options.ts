import { type OptionSpec, type ParsedOptions, parseOptions } from "../parse-options.ts";

const SHORT = "ctxruAf:C:zjJZavpkOX:T:hPmo";

/** Of what an executor is needed for: other compressions, and changes to an archive that is there. */
const ELSEWHERE = ["r", "u", "A", "j", "J", "Z", "elsewhere"];

const SPEC: OptionSpec = {
  short: SHORT,
  long: {
    create: "c",
    list: "t",
    extract: "x",
    get: "x",
    "file=": "f",
    "directory=": "C",
    gzip: "z",
    gunzip: "z",
    ungzip: "z",
    "auto-compress": "a",
    verbose: "v",
    "keep-old-files": "k",
    "to-stdout": "O",
    dereference: "h",
    "absolute-names": "P",
    "exclude=": "exclude",
    "exclude-from=": "X",
    "exclude-vcs": "exclude-vcs",
    "files-from=": "T",
    "strip-components=": "strip-components",
    wildcards: "wildcards",
    "no-wildcards": "no-wildcards",
    "no-recursion": "no-recursion",
    "numeric-owner": "numeric-owner",
    // Files have no owners and times here, and names are in order anyway.
    "preserve-permissions": "p",
    "same-permissions": "p",
    touch: "m",
    "no-same-owner": "o",
    "no-same-permissions": "m",
    "same-owner": "o",
    "sort=": "o",
    "warning=": "o",
    overwrite: "o",
    append: "r",
    update: "u",
    catenate: "A",
    concatenate: "A",
    delete: "elsewhere",
    diff: "elsewhere",
    compare: "elsewhere",
    bzip2: "j",
    xz: "J",
    lzma: "elsewhere",
    zstd: "elsewhere",
    compress: "Z",
    "use-compress-program=": "elsewhere",
    "transform=": "elsewhere",
    "xform=": "elsewhere",
    "mtime=": "elsewhere",
    "owner=": "elsewhere",
    "group=": "elsewhere",
    "mode=": "elsewhere",
    "listed-incremental=": "elsewhere",
    "newer=": "elsewhere",
  },
  stopsAtOperand: true,
};

/** What `tar` was called with. */
export interface TarOptions extends Pick<ParsedOptions, "has" | "value" | "given"> {
  readonly needsExecutor: boolean;
  /** Names, each with the folders of `-C` before it. */
  readonly items: readonly { readonly folders: readonly string[]; readonly name: string }[];
  /** All folders of `-C`, each to be taken from the one before it. */
  readonly folders: readonly string[];
}

/** Throws a `UsageError`. */
export function parseTarOptions(args: readonly string[]): TarOptions {
  const given: (readonly [string, string])[] = [];
  const items: TarOptions["items"][number][] = [];
  const end = args.indexOf("--");
  const tail = end === -1 ? [] : args.slice(end + 1);
  const folders = (): string[] => given.filter(([name]) => name === "C").map(([, value]) => value);
  let rest: readonly string[] = dashed(end === -1 ? args : args.slice(0, end));
  while (rest.length > 0) {
    const parsed = parseOptions(rest, SPEC);
    given.push(...parsed.given);
    const [name, ...after] = parsed.operands;
    if (name !== undefined) items.push({ folders: folders(), name });
    rest = after;
  }
  for (const name of tail) items.push({ folders: folders(), name });
  const has = (...names: readonly string[]): boolean => given.some(([name]) => names.includes(name));
  const value = (...names: readonly string[]): string | undefined =>
    given.findLast(([name]) => names.includes(name))?.[1];
  return { given, has, value, items, folders: folders(), needsExecutor: has(...ELSEWHERE) };
}

/** How often `-v` was given. */
export function verbosity({ given }: TarOptions): number {
  return given.filter(([name]) => name === "v").length;
}

/** The old style, `czf name`: letters without a dash, those with a value taking the next words in order. */
function dashed([first, ...rest]: readonly string[]): string[] {
  if (first === undefined || first === "" || first.startsWith("-")) return first === undefined ? [] : [first, ...rest];
  const words: string[] = [];
  for (const letter of first) {
    words.push(`-${letter}`);
    const value = SHORT.includes(`${letter}:`) ? rest.shift() : undefined;
    if (value !== undefined) words.push(value);
  }
  return [...words, ...rest];
}
