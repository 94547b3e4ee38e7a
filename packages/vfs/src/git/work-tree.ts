import { childrenOf } from "../overlay/children.ts";
import { entryAt } from "../overlay/edit.ts";
import { type Overlay, overlayState } from "../overlay/overlay.ts";
import { contentOf } from "../overlay/read.ts";
import type { AnyDirectory, OverlayEntry } from "../overlay/state.ts";
import { type IgnoreStack, ignoreVerdict, parseIgnoreFile } from "../search/glob/ignore-rules.ts";
import { breathe, type GitContext } from "./context.ts";
import type { TrackedFile } from "./index-file.ts";
import type { WorkFile } from "./oids.ts";

const decoder = new TextDecoder();
export const SUBMODULE = 0o160000;

/** What is at a path of the work tree; no link is followed. */
export function workEntry(context: GitContext, path: string): OverlayEntry | undefined {
  return entryAt(context.state, path.split("/"));
}

/** Every file and link of an overlay, by path. */
export function* walkFiles(overlay: Overlay): Generator<readonly [string, OverlayEntry]> {
  const { nodes, root } = overlayState(overlay);
  function* walkEntry(path: string, entry: OverlayEntry): Generator<readonly [string, OverlayEntry]> {
    if (entry.kind !== "directory") yield [path, entry];
    else for (const [name, child] of childrenOf(nodes, entry)) yield* walkEntry(`${path}/${name}`, child);
  }
  yield* walkEntry("", root);
}

/**
 * The files and links of the work tree that git looks at, by path without a leading `/`: those that are tracked, and
 * those that no `.gitignore` names. What is in a submodule's folder is that one's own. `ignored` gets the others, a folder of
 * which nothing is looked at with a `/` at its end.
 */
export async function listWorkTree(
  context: GitContext,
  tracked: ReadonlyMap<string, TrackedFile>,
  ignored?: Set<string>,
): Promise<Map<string, WorkFile>> {
  const folders = new Set<string>();
  for (const path of tracked.keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  const found = new Map<string, WorkFile>();
  await walk({ context, tracked, folders, found, ignored }, context.state.root, "", [[]], false);
  return found;
}

interface Walk {
  readonly context: GitContext;
  readonly tracked: ReadonlyMap<string, TrackedFile>;
  /** Those with tracked files in them. */
  readonly folders: ReadonlySet<string>;
  readonly found: Map<string, WorkFile>;
  readonly ignored: Set<string> | undefined;
}

async function walk(
  walked: Walk,
  directory: AnyDirectory,
  path: string,
  above: IgnoreStack,
  isIgnored: boolean,
): Promise<void> {
  const { context, tracked, folders, found } = walked;
  const leaveOut = (left: string): unknown => walked.ignored?.add(left);
  await breathe(context);
  const children = childrenOf(context.state.nodes, directory);
  const ignores = await withIgnores(context, children, path, above);
  for (const [name, entry] of children) {
    const full = path + name;
    const isDirectory = entry.kind === "directory";
    const ignored = isIgnored || ignoreVerdict(ignores, `/${full}`, name, isDirectory) === "ignore";
    if (!isDirectory) {
      if (!ignored || tracked.has(full)) found.set(full, { path: `/${full}`, entry });
      else leaveOut(full);
    } else if (tracked.get(full)?.mode !== SUBMODULE && (!ignored || folders.has(full))) {
      await walk(walked, entry, `${full}/`, ignores, ignored);
    } else if (ignored) leaveOut(`${full}/`);
  }
}

async function withIgnores(
  context: GitContext,
  children: readonly (readonly [string, OverlayEntry])[],
  path: string,
  above: IgnoreStack,
): Promise<IgnoreStack> {
  const entry = children.find(([name]) => name === ".gitignore")?.[1];
  if (entry?.kind !== "file") return above;
  const content = await contentOf(context.state, entry, `/${path}.gitignore`);
  return [[...(above[0] ?? []), parseIgnoreFile(`/${path}`, decoder.decode(content))]];
}
