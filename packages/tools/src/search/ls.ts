import type { FileSystem, FileSystemDirent, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { inputSchema } from "../input-schema.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface LsInput {
  path?: string | undefined;
}

export type LsPort = Pick<FileSystem, "stat" | "lstat" | "readlink" | "readdirWithFileTypes">;

const MAX_ENTRIES = 500;

/** The entries of a directory, hidden ones too: `name/`, `name` and its bytes, or `name -> target`. */
export async function listDirectory(fs: LsPort, input: LsInput): Promise<ToolOutput> {
  const path = toTreePath(input.path ?? ".");
  const name = toModelPath(path);
  const stat = await fs.stat(path);
  if (stat.type !== "directory") return { text: `${name} is a file of ${stat.size} bytes; use read to see it` };
  const entries = await fs.readdirWithFileTypes(path);
  if (entries.length === 0) return { text: `(${name} is an empty folder)` };
  const shown = entries.slice(0, MAX_ENTRIES);
  const lines = await Promise.all(shown.map((entry) => describe(fs, path, entry)));
  const left = entries.length - shown.length;
  if (left > 0) lines.push(`[${left} more entries; narrow it with glob, such as pattern="a*" path="${name}"]`);
  return { text: lines.join("\n"), data: { path: name, entries: entries.length } };
}

async function describe(fs: LsPort, directory: string, { name, type }: FileSystemDirent): Promise<string> {
  const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
  if (type === "directory") return `${name}/`;
  if (type === "symlink") return `${name} -> ${await fs.readlink(path)}`;
  return `${name}\t${(await fs.lstat(path)).size}`;
}

const schema = inputSchema<LsInput>(z.strictObject({ path: z.string().optional().describe("default: the workspace") }));

/** The `ls` tool. */
export function createLsTool({ fs }: { readonly fs: LsPort }): CodingTool {
  return createCodingTool<LsInput>({
    name: "ls",
    description: "List a folder, hidden entries too, with sizes in bytes.",
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input) => listDirectory(fs, input),
  });
}
