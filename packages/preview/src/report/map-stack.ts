import type { Place } from "../client/client-app.ts";
import type { Dependencies } from "../deps/dependencies.ts";
import { type Inserted, placeBefore } from "../graph/insert-texts.ts";
import type { Thrown } from "../inside/thrown.ts";

const PLACE = /(?:\(|\bat (?:async )?)([^\s()]+):(\d+):(\d+)\)?\s*$/;

/** Frames that are not the app's. */
const OURS = /[(\s](?:tenrec|node_modules\/\.link-[^/]*)[/:]/;

/** An app may throw texts of any length. */
const MOST_TEXT = 8000;

/** What an app threw, with places of the tree. */
export interface Exception {
  readonly name: string;
  readonly message: string;
  /** Lines `at function (path:line:column)`, without those that are not the app's. */
  readonly stack: string;
  /** The first place in a file of the tree. */
  readonly at?: Place;
}

/** What is known of the modules of an app. */
export interface StackPlaces {
  /** Whether a path is of a file that somebody wrote for this app. */
  readonly isSource: (path: string) => boolean;
  /** What was put into a module, by its name; undefined where nothing was. */
  readonly inserted: (module: string) => Inserted | undefined;
  readonly locate?: Dependencies["locate"];
}

/**
 * Modules have the names of their files and the lines of their sources, so all that is to do is to leave out our own, and to
 * find the files of packages and the columns of the sources.
 */
export function mapException(error: Thrown, { isSource, inserted, locate }: StackPlaces): Exception {
  const frames = error.stack
    .slice(0, MOST_TEXT)
    .split("\n")
    .filter((line) => PLACE.test(line) && !OURS.test(line))
    .map((line) => inSource(inPackage(line, locate), inserted));
  const places = frames.flatMap((line) => frameOf(line) ?? []);
  const at = places.find(({ path }) => isSource(path));
  return {
    name: error.name.slice(0, 200),
    message: error.message.slice(0, MOST_TEXT),
    stack: frames.map((line) => `    ${line.trim()}`).join("\n"),
    ...(at ? { at } : {}),
  };
}

/** A text that was logged, with places of the tree in the stack traces that are in it. */
export function mapLogged(text: string, { inserted, locate }: Omit<StackPlaces, "isSource">): string {
  const lines = text.split("\n").flatMap((line) => {
    if (!/^\s+at /.test(line) || !PLACE.test(line)) return [line];
    return OURS.test(line) ? [] : [inSource(inPackage(line, locate), inserted)];
  });
  return lines.join("\n");
}

/** The line with the file of the package in place of the module that it was put into. */
function inPackage(line: string, locate: Dependencies["locate"]): string {
  const [, module = "", row = ""] = PLACE.exec(line) ?? [];
  const place = locate?.(module, Number(row));
  return place ? line.replace(`${module}:${row}:`, () => `${place.path}:${place.line}:`) : line;
}

/** The line with the column of the source. */
function inSource(line: string, inserted: StackPlaces["inserted"]): string {
  const [, module = "", row = "", column = ""] = PLACE.exec(line) ?? [];
  const known = inserted(module);
  if (!known) return line;
  const before = placeBefore(known, { line: Number(row), column: Number(column) });
  return line.replace(`${module}:${row}:${column}`, () => `${module}:${row}:${before.column}`);
}

function frameOf(line: string): Place | undefined {
  const match = PLACE.exec(line);
  if (!match) return undefined;
  return { path: `/${match[1]}`, line: Number(match[2]), column: Number(match[3]) };
}

/** What the runtime says of a Worker that does not even start; undefined for any other error. */
export function startProblem(error: unknown): Thrown | undefined {
  const text = error instanceof Error ? error.message : String(error);
  const match = /^Failed to start Worker:\s*(?:Uncaught )?([\s\S]*)$/.exec(text);
  if (!match) return undefined;
  const lines = (match[1] ?? "").split("\n");
  const at = lines.findIndex((line) => PLACE.test(line));
  const said = (at === -1 ? lines : lines.slice(0, at)).map((line) => line.trim()).join(" ");
  const named = /^(\w*Error): ([\s\S]*)$/.exec(said);
  return {
    name: named?.[1] ?? "Error",
    message: named?.[2] ?? said,
    stack: at === -1 ? "" : lines.slice(at).join("\n"),
  };
}
