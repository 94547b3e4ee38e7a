import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import type { FileSystem, LocatedStack } from "@tenrec/protocol";
import type { Place } from "../client/client-app.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import type { BuiltApp } from "../host/built-app.ts";

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
  let at: Place | undefined;
  const lines: string[] = [];
  const bundles: Bundles = new Map();
  for (const text of stack.split("\n", MOST_LINES)) {
    const line = text.slice(0, MOST_LINE);
    const [, name = "", path, row, column] = CHROME.exec(line) ?? FIREFOX.exec(line) ?? [];
    if (path === undefined || path.startsWith("/@tenrec/")) continue;
    const asked = { path: decoded(path), line: Number(row), column: Number(column ?? 1) };
    const found = await locate(asked, app, fs, bundles);
    if (found && !found.path.includes("/node_modules/")) at ??= found;
    const { path: shown, line: n, column: m } = found ?? asked;
    lines.push(`    at ${name === "" ? "" : `${name} `}(${shown}:${n}:${m})`);
  }
  return { stack: lines.join("\n"), ...(at ? { at } : {}) };
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
): Promise<Place | undefined> {
  const found = client?.locate(place);
  if (found || !config.assets) return found;
  const file = fs.resolvePath(config.assets.directory, `.${place.path.replace(/[?#].*/, "")}`);
  const reading = bundles.get(file) ?? readBundle(file, fs);
  bundles.set(file, reading);
  const bundle = await reading;
  return bundle && (original(place, bundle, fs) ?? { ...place, path: file });
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

/** What the last comment of a file names as its source map; undefined without one. */
function mapUrl(code: string): string | undefined {
  const at = code.lastIndexOf(MAP_COMMENT);
  if (at === -1) return undefined;
  const [url, ...rest] = code
    .slice(at + MAP_COMMENT.length)
    .trim()
    .split(/\s+/, 3);
  return url !== undefined && (rest.length === 0 || rest[0] === "*/") ? url : undefined;
}

const MAP_COMMENT = "# sourceMappingURL=";

function dataText(url: string): string {
  const [, base64, data = ""] = /^data:[^,]*?(;base64)?,(.*)$/.exec(url) ?? [];
  if (base64 === undefined) return decodeURIComponent(data);
  return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
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
