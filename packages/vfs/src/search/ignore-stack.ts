import { childOf } from "../overlay/children.ts";
import type { AnyDirectory, AnyFile, OverlayState } from "../overlay/state.ts";
import { resolve } from "../overlay/resolve.ts";
import { wholeContent } from "./content.ts";
import { IGNORE_FILES, type IgnoreRules, type IgnoreStack, parseIgnoreFile } from "./glob/ignore-rules.ts";
import type { ScopePlan } from "./scope.ts";

/** Of a file larger than this nothing is read. */
const MAX_IGNORE_BYTES = 1024 * 1024;

const decoder = new TextDecoder();

/** Something that is done at once or has to be waited for, as the part of a walk that may have to read. */
type Step<T> = Generator<Promise<unknown>, T>;

/** `above` with the ignore files of a directory; `path` has a final `/`. */
export function* withIgnoresOf(
  state: OverlayState,
  scope: ScopePlan,
  directory: AnyDirectory,
  path: string,
  above: IgnoreStack,
): Step<IgnoreStack> {
  let stack = above;
  for (const [index, name] of IGNORE_FILES.entries()) {
    if (!scope.ignores(index === 0 ? "vcs" : "dot")) continue;
    const entry = childOf(state.nodes, directory, name);
    if (entry?.kind !== "file") continue;
    const rules = yield* readRules(state, entry, path + name, path);
    // The first kind is of the files that the query names.
    if (rules) stack = stack.with(index + 1, [...(stack[index + 1] ?? []), rules]);
  }
  return stack;
}

/** The ignore files above a directory, and those that the query names. */
export function* ignoresAbove(state: OverlayState, scope: ScopePlan, path: string): Step<IgnoreStack> {
  const named: IgnoreRules[] = [];
  for (const file of scope.ignoreFiles) {
    const { entry } = resolve(state, file, true);
    const rules = entry?.kind === "file" ? yield* readRules(state, entry, file, "/") : undefined;
    if (rules) named.push(rules);
  }
  let stack: IgnoreStack = [named, ...IGNORE_FILES.map(() => [])];
  if (path === "/" || !scope.ignores("parent")) return stack;
  let directory: AnyDirectory = state.root;
  let at = "/";
  for (const name of path.slice(1).split("/")) {
    stack = yield* withIgnoresOf(state, scope, directory, at, stack);
    const next = childOf(state.nodes, directory, name);
    if (next?.kind !== "directory") break;
    directory = next;
    at += `${name}/`;
  }
  return stack;
}

function* readRules(
  state: OverlayState,
  file: AnyFile,
  path: string,
  directory: string,
): Step<IgnoreRules | undefined> {
  if (file.size > MAX_IGNORE_BYTES) return undefined;
  let content = wholeContent(state, file, path);
  if (!(content instanceof Uint8Array)) {
    const waiting = content;
    yield waiting.then((bytes) => (content = bytes));
  }
  return content instanceof Uint8Array ? parseIgnoreFile(directory, decoder.decode(content), path) : undefined;
}
