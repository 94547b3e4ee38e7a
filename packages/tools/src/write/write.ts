import type { FileSystem, ToolOutput } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import { byteLength } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { contentHash } from "../content-hash.ts";
import { inputSchema, textField } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import type { SeenFiles } from "../tool-ports.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface WriteInput {
  path: string;
  content: string;
}

export type WritePort = Pick<FileSystem, "exists" | "stat" | "writeFile" | "readFileBytes" | "contentHash">;

export interface WritePorts {
  readonly fs: WritePort;
  /** Absent where nobody keeps it; then whatever is there is overwritten. */
  readonly seen?: SeenFiles;
}

/**
 * Writes a whole file, with its parents, and says whether it was there before. Throws `file-unread` for one whose content
 * the model does not know, and `file-changed` for one that is not as the model knows it.
 */
export async function writeWholeFile({ fs, seen }: WritePorts, input: WriteInput): Promise<ToolOutput> {
  const path = toTreePath(input.path);
  if (path === "/") throw new TenrecError("EISDIR", { path });
  if (input.path.endsWith("/") && !(await fs.exists(path)))
    throw new TenrecError("EINVAL", { path, reason: "it names a folder, and folders come with the files in them" });
  if (input.path.endsWith("/")) throw new TenrecError("EISDIR", { path });
  const before = await sizeOf(fs, path);
  if (seen && before) await checkSeen(fs, seen, path);
  await fs.writeFile(path, input.content);
  seen?.see(path, await contentHash(fs, path));
  const bytes = byteLength(input.content);
  const lines = countLines(input.content);
  const done = before === undefined ? "Created" : "Overwrote";
  const was = before === undefined ? "" : `, before ${before} bytes`;
  const name = toModelPath(path);
  return {
    text: `${done} ${name}: ${lines} line${lines === 1 ? "" : "s"}, ${bytes} bytes${was}`,
    data: { path: name, created: before === undefined, bytes, lines },
  };
}

/** Nothing is lost with an empty file. */
async function checkSeen(fs: WritePort, seen: SeenFiles, path: string): Promise<void> {
  const known = seen.last(path);
  if (known === undefined) throw new TenrecError("file-unread", { path });
  if (known !== (await contentHash(fs, path))) throw new TenrecError("file-changed", { path });
}

async function sizeOf(fs: WritePort, path: string): Promise<number | undefined> {
  // Most files are new, and an error costs as much as all else here. What is in the way, `writeFile` says.
  if (!(await fs.exists(path))) return undefined;
  try {
    const stat = await fs.stat(path);
    if (stat.type === "directory") throw new TenrecError("EISDIR", { path });
    return stat.size;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function countLines(content: string): number {
  let ends = 0;
  for (let at = content.indexOf("\n"); at !== -1; at = content.indexOf("\n", at + 1)) ends += 1;
  return content === "" || content.endsWith("\n") ? ends : ends + 1;
}

const schema = inputSchema<WriteInput>(z.strictObject({ path: z.string().min(1), content: textField() }), {
  ...PATH_NAMES,
  contents: "content",
  file_text: "content",
});

/** The `write` tool. */
export function createWriteTool(ports: WritePorts): CodingTool {
  return createCodingTool<WriteInput>({
    name: "write",
    description: "Create a file, or replace all of one that you have read. To change a part of a file use edit.",
    schema,
    traits: { replay: "transaction", permission: "edit" },
    run: (input) => writeWholeFile(ports, input),
  });
}
