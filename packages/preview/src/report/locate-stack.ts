import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { FileSystem, LocatedStack } from "@tenrec/protocol";
import type { Place } from "../client/client-app.ts";
import { assetFile } from "../assets/serve-asset.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import type { BuiltApp } from "../host/built-app.ts";
import { codeLines } from "./code-lines.ts";
import { dataText, mapUrl } from "./source-map-comment.ts";

/** Lines of a stack that are looked at. */
const MOST_LINES = 20;
const MOST_LINE = 500;

/** Larger files are no code that somebody wrote here, and their maps would take long to read. In UTF-16 units. */
const MOST_CODE = 4_000_000;

// `at f (/a.js:1:2)` and `at /a.js:1:2` of Chrome, `f@/a.js:1:2` of Firefox and Safari.
const CHROME = /^\s*at (?:(.*?) \()?(\/[^\s()]*?):(\d+)(?::(\d+))?\)?$/;
const FIREFOX = /^\s*([^@]*)@(\/\S*?):(\d+)(?::(\d+))?$/;

/** Finds the places of a page's stack in the files of its app. What is no place, such as the message, is left out. */
export async function locateStack(stack: string, app: BuiltApp, fs: FileSystem): Promise<LocatedStack> {
  let at: Found | undefined;
  const lines: string[] = [];
  const bundles: Bundles = new Map();
  for (const { name, place } of placesIn(stack)) {
    const found = await locate(place, app, fs, bundles);
    if (found && !found.place.path.includes("/node_modules/")) at ??= found;
    const { path, line, column } = found?.place ?? place;
    lines.push(`    at ${name}(${path}:${line}:${column})`);
  }
  const frame = at?.isServed ? await frameOf(at.place, fs) : "";
  return { stack: lines.join("\n"), ...(at ? { at: at.place } : {}), ...(frame === "" ? {} : { frame }) };
}

/** The places that a stack names, each with the name of its function and a blank behind that. */
function* placesIn(stack: string): Generator<{ readonly name: string; readonly place: Place }> {
  for (const text of stack.split("\n", MOST_LINES)) {
    const line = text.slice(0, MOST_LINE);
    const [, name = "", path, row, column] = CHROME.exec(line) ?? FIREFOX.exec(line) ?? [];
    if (path === undefined || path.startsWith("/@tenrec/")) continue;
    const place = { path: decoded(path), line: Number(row), column: Number(column ?? 1) };
    yield { name: name === "" ? "" : `${name} `, place };
  }
}

interface Found {
  readonly place: Place;
  /** Whether a browser is given the file anyway. Others may hold what whoever has the link is not to see. */
  readonly isServed: boolean;
}

async function frameOf({ path, line }: Place, fs: FileSystem): Promise<string> {
  const lines = await codeLines(fs, path, line);
  return lines.map(({ number, text, isHere }) => `${isHere ? ">" : " "} ${number}  ${text}`).join("\n");
}

/** What is known of files by their paths: many lines of a stack are of one file, and its map can be large. */
type Bundles = Map<string, Promise<Bundle | undefined>>;

interface Bundle {
  /** Its source map, and where that is; undefined without one that can be read. */
  readonly map: { readonly path: string; readonly trace: TraceMap } | undefined;
}

async function locate(
  place: Place,
  { client, config }: BuiltApp,
  fs: FileSystem,
  bundles: Bundles,
): Promise<Found | undefined> {
  const found = client?.locate(place);
  if (found) return { place: found, isServed: true };
  if (!config.assets) return undefined;
  const file = await assetFile(fs, config.assets, place.path.replace(/[?#].*/, ""));
  if (file === undefined) return undefined;
  const reading = bundles.get(file) ?? readBundle(file, fs);
  bundles.set(file, reading);
  const bundle = await reading;
  if (!bundle) return undefined;
  const before = original(place, bundle, fs);
  return before ? { place: before, isServed: false } : { place: { ...place, path: file }, isServed: true };
}

async function readBundle(file: string, fs: FileSystem): Promise<Bundle | undefined> {
  const code = await readTextIfAny(fs, file);
  if (code === undefined || code.length > MOST_CODE) return undefined;
  try {
    const url = mapUrl(code);
    if (url === undefined) return { map: undefined };
    const isInline = url.startsWith("data:");
    // Sources are named beside the map.
    const path = isInline ? file : besides(fs, file, url);
    const text = isInline ? dataText(url) : await readTextIfAny(fs, path);
    if (text === undefined || text.length > MOST_CODE) return { map: undefined };
    return { map: { path, trace: new TraceMap(text) } };
  } catch {
    // A map that is none.
    return { map: undefined };
  }
}

/** Where a place of a bundle was before, as its source map says. */
function original({ line, column }: Place, { map }: Bundle, fs: FileSystem): Place | undefined {
  if (!map) return undefined;
  try {
    const found = originalPositionFor(map.trace, { line, column: column - 1 });
    if (found.source === null) return undefined;
    return { path: besides(fs, map.path, found.source), line: found.line, column: found.column + 1 };
  } catch {
    // A map that is none: the place in the bundle is what there is.
    return undefined;
  }
}

function besides(fs: FileSystem, path: string, name: string): string {
  return fs.resolvePath(path.slice(0, path.lastIndexOf("/")) || "/", name);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
