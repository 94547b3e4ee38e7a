import { Buffer } from "node:buffer";
import { Alphabet } from "../regex/alphabet.ts";
import { LazyDfa } from "../regex/lazy-dfa.ts";
import { toProgram } from "../regex/program.ts";
import { concat, type Syntax } from "../regex/syntax.ts";
import { type GlobOptions, parseGlob } from "./parse-glob.ts";

const MAGIC = /[*?[\]{}\\]/;
/** A star and a plain ending, as in `*.ts`. */
const ENDING = /^\*([^*?[\]{}\\/]+)$/;
/** The same at any depth below plain folders, as in `src/**\/*.ts`. */
const ENDING_BELOW = /^((?:[^*?[\]{}\\]+\/)?)\*\*\/\*([^*?[\]{}\\/]+)$/;

const START: Syntax = { kind: "look", look: "text-start", ascii: false };
const END: Syntax = { kind: "look", look: "text-end", ascii: false };

/** A test of whole paths, in time linear in the path. `GlobError` when the glob is not valid. */
export function globTest(glob: string, options: GlobOptions = {}): (path: string) => boolean {
  if (!options.ignoreCase) {
    if (!MAGIC.test(glob)) return (path) => path === glob;
    const [, ending] = ENDING.exec(glob) ?? [];
    if (ending !== undefined) {
      return options.crossSlash
        ? (path) => path.endsWith(ending)
        : (path) => path.endsWith(ending) && !path.slice(0, -ending.length).includes("/");
    }
  }
  const syntax = parseGlob(glob, options);
  const [, folders, last] = options.ignoreCase ? [] : (ENDING_BELOW.exec(glob) ?? []);
  if (folders !== undefined && last !== undefined) {
    return (path) => path.length >= folders.length + last.length && path.startsWith(folders) && path.endsWith(last);
  }
  // Of thousands of rules, this spares most both the automaton and its run.
  const start = options.ignoreCase ? "" : glob.slice(0, glob.search(MAGIC));
  // Most rules are never asked.
  let dfa: LazyDfa | undefined;
  return (path) => {
    if (!path.startsWith(start)) return false;
    if (!dfa) {
      const program = toProgram(concat([START, syntax, END]), glob);
      dfa = new LazyDfa(program, new Alphabet(program, false));
    }
    const bytes = Buffer.from(path);
    return dfa.find(bytes, 0, bytes.length) !== -1;
  };
}
