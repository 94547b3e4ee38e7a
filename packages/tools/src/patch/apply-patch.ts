import type { Json, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { contentHash } from "../content-hash.ts";
import { inputSchema, textField } from "../input-schema.ts";
import type { SeenFiles } from "../tool-ports.ts";
import { toTreePath } from "../workspace-path.ts";
import type { FilePatch } from "./file-patch.ts";
import { parsePatch } from "./parse-patch.ts";
import type { PatchPort } from "./patched-files.ts";
import { PatchedFiles } from "./patched-files.ts";
import type { PatchedFile } from "./plan-file.ts";
import { planFile } from "./plan-file.ts";

export interface ApplyPatchInput {
  patch: string;
}

export interface PatchPorts {
  readonly fs: PatchPort;
  /** Absent where nobody keeps it; then every file counts as known. */
  readonly seen?: SeenFiles;
}

/** After so much text, others get a turn of the event loop. */
const BYTES_PER_TURN = 512 * 1024;

/**
 * Applies a patch, in the format of Codex or as a unified diff, to all its files or to none. Hunks keep the line ends of
 * the file, and its other bytes. What fits more than once, or not to the letter, is applied as the format has it and said.
 */
export async function applyPatch(
  { fs, seen }: PatchPorts,
  input: ApplyPatchInput,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const patch = parsePatch(input.patch);
  const files = new PatchedFiles(fs);
  const named = new Set(patch.files.map(({ path }) => toTreePath(path)));
  const leaving = new Set(patch.files.filter(leaves).map(({ path }) => toTreePath(path)));
  const done: PatchedFile[] = [];
  let bytes = 0;
  const isSeen = async (path: string): Promise<boolean | undefined> => {
    const known = seen?.last(path);
    return known === undefined ? undefined : known === (await contentHash(fs, path));
  };
  for (const file of patch.files) {
    signal.throwIfAborted();
    done.push(await planFile(files, file, { format: patch.format, leaving, named, isSeen }));
    if (files.bytes - bytes < BYTES_PER_TURN) continue;
    bytes = files.bytes;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  signal.throwIfAborted();
  await files.write({ pruneFolders: patch.format === "unified" });
  for (const { known } of done) if (seen && known !== undefined) await see(fs, seen, known);
  return present(done);
}

/** Unless a later part of the patch moved it on. */
async function see(fs: PatchPort, seen: SeenFiles, path: string): Promise<void> {
  const there = await fs.lstat(path).catch(() => undefined);
  if (there?.type === "file") seen.see(path, await contentHash(fs, path));
}

function leaves({ kind, to }: FilePatch): boolean {
  return kind === "delete" || (kind === "update" && to !== undefined);
}

function present(files: readonly PatchedFile[]): ToolOutput {
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  const head = `Patched ${files.length} file${files.length === 1 ? "" : "s"} (+${added} -${removed})`;
  const lines = files.map(({ change, path, to, ...count }) => {
    const name = to === undefined ? path : `${path} -> ${to}`;
    return `${change} ${name} (+${count.added} -${count.removed})`;
  });
  const notes = files.flatMap((file) => [...file.notes, ...(file.diff ? [file.diff] : [])]);
  const data: Json = { files: files.map(({ change, path, to }) => ({ change, path: to ?? path })), added, removed };
  return { text: withinCaps([head, ...lines, ...notes].join("\n")), data };
}

function withinCaps(text: string): string {
  const lines = text.split("\n");
  const fitting = countFitting(lines, { lines: OUTPUT_CAPS.lines - 1, bytes: OUTPUT_CAPS.bytes - 512 });
  return fitting === lines.length ? text : [...lines.slice(0, fitting), "[the rest is left out]"].join("\n");
}

const schema = inputSchema<ApplyPatchInput>(
  z.strictObject({ patch: textField().describe('"*** Begin Patch" format, or a unified diff') }),
  { input: "patch", patchText: "patch", patch_text: "patch", diff: "patch" },
);

/** The `apply_patch` tool. */
export function createApplyPatchTool(ports: PatchPorts): CodingTool {
  return createCodingTool<ApplyPatchInput>({
    name: "apply_patch",
    description: "Change, add, move and delete files by a patch: all of it happens, or nothing.",
    schema,
    traits: { replay: "transaction", permission: "edit" },
    run: (input, signal) => applyPatch(ports, input, signal),
  });
}
