import type { GrepEvent, GrepFile, SearchSummary } from "@tenrec/protocol";
import { WORKSPACE_ROOT } from "@tenrec/protocol";
import type { SearchShell } from "./search-shell.ts";

/** A search, whatever it is in. */
export interface Finder {
  /** In tree paths, as `Search.grep`. */
  tree(path: string | readonly string[]): AsyncIterable<GrepEvent>;
  content(bytes: Uint8Array, path: string): AsyncIterable<GrepEvent>;
}

export interface OperandOptions {
  /** Go into directories. */
  readonly recurse: boolean;
  /** In directories outside of the tree, look at names that begin with a dot. */
  readonly hidden: boolean;
  /** What is printed for the standard input. */
  readonly stdinName: string;
}

export type Finding =
  /** `name` is the path as it is printed, `path` the one of the shell. */
  | { readonly type: "file"; readonly name: string; readonly path: string; readonly event: GrepFile }
  /** Files that an operand led to, those that were left for being binary too. */
  | { readonly type: "looked"; readonly files: number }
  | { readonly type: "problem"; readonly name: string; readonly problem: "missing" | "directory" };

interface Operand {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Its path in the tree; `undefined` outside of it. */
  readonly tree: string | undefined;
}

/** Searches what a command line names, in that order; `-` is the standard input. */
export async function* findInOperands(
  shell: SearchShell,
  finder: Finder,
  names: readonly string[],
  options: OperandOptions,
): AsyncGenerator<Finding> {
  // Files of the tree that stand together are one search.
  let files: Operand[] = [];
  for (const name of names) {
    const operand = name === "-" ? undefined : await look(shell, name);
    const isFile = operand?.kind === "file" && operand.tree !== undefined;
    if (operand && isFile && !files.some(({ tree }) => tree === operand.tree)) {
      files.push(operand);
      continue;
    }
    yield* inFiles(finder, files);
    files = operand && isFile ? [operand] : [];
    if (name === "-") yield* inContent(finder, shell.stdin.bytes(), options.stdinName, name);
    else if (!operand) yield { type: "problem", name, problem: "missing" };
    else if (!isFile) yield* inOther(shell, finder, operand, options);
  }
  yield* inFiles(finder, files);
}

/** In a directory, or a file outside of the tree. */
async function* inOther(
  shell: SearchShell,
  finder: Finder,
  operand: Operand,
  options: OperandOptions,
): AsyncGenerator<Finding> {
  const { name, kind, tree } = operand;
  if (kind === "directory" && !options.recurse) yield { type: "problem", name, problem: "directory" };
  else yield* tree === undefined ? outside(shell, finder, operand, options) : inDirectory(finder, operand);
}

async function look(shell: SearchShell, name: string): Promise<Operand | undefined> {
  const path = shell.resolve(name);
  try {
    const { isDirectory } = await shell.fs.stat(path);
    if (name.endsWith("/") && !isDirectory) return undefined;
    return { name, path, kind: isDirectory ? "directory" : "file", tree: toTree(await shell.fs.realpath(path)) };
  } catch {
    return undefined;
  }
}

/** The tree path of a path of the shell. */
export function toTree(path: string): string | undefined {
  if (path === WORKSPACE_ROOT) return "/";
  return path.startsWith(`${WORKSPACE_ROOT}/`) ? path.slice(WORKSPACE_ROOT.length) : undefined;
}

async function* inFiles(finder: Finder, files: readonly Operand[]): AsyncGenerator<Finding> {
  if (files.length === 0) return;
  const operands = new Map(files.map((operand) => [operand.tree ?? "", operand]));
  for await (const event of finder.tree([...operands.keys()])) {
    const operand = event.type === "file" ? operands.get(event.path) : undefined;
    if (event.type !== "file") yield looked(event);
    else if (operand) yield { type: "file", name: operand.name, path: operand.path, event };
  }
}

async function* inDirectory(finder: Finder, { name, path, tree = "/" }: Operand): AsyncGenerator<Finding> {
  for await (const event of finder.tree(tree)) {
    if (event.type !== "file") {
      yield looked(event);
      continue;
    }
    const below = tree === "/" ? event.path.slice(1) : event.path.slice(tree.length + 1);
    yield { type: "file", name: join(name, below), path: join(path, below), event };
  }
}

/** A path below an operand; the operand that nobody wrote is empty. */
export function join(name: string, below: string): string {
  return name === "" || name.endsWith("/") ? name + below : `${name}/${below}`;
}

async function* inContent(finder: Finder, bytes: Uint8Array, name: string, path: string): AsyncGenerator<Finding> {
  for await (const event of finder.content(bytes, path))
    yield event.type === "file" ? { type: "file", name, path, event } : looked(event);
}

function looked({ searched, binary, large }: SearchSummary): Finding {
  return { type: "looked", files: searched + binary + large };
}

/** Files in the shell's memory, such as those in `/tmp`. */
async function* outside(
  shell: SearchShell,
  finder: Finder,
  { name, path, kind }: Operand,
  options: OperandOptions,
): AsyncGenerator<Finding> {
  shell.signal.throwIfAborted();
  if (kind === "file") {
    yield* inContent(finder, await shell.fs.readFileBuffer(path), name, path);
    return;
  }
  for (const entry of (await shell.fs.readdir(path)).toSorted()) {
    if (!options.hidden && entry.startsWith(".")) continue;
    const below = await look(shell, join(path, entry));
    if (below) yield* outside(shell, finder, { ...below, name: join(name, entry) }, options);
  }
}
