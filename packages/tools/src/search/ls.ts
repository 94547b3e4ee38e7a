import type { FileSystem, FileSystemDirent, ToolOutput } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { z } from "zod";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { inputSchema } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";
import { refusedSearch } from "./refused-search.ts";

export interface LsInput {
  path?: string | undefined;
  /** Entries to pass over first. */
  offset?: number | undefined;
}

export type LsPort = Pick<FileSystem, "stat" | "lstat" | "readlink" | "readdirWithFileTypes" | "exists" | "readdir">;

const MAX_ENTRIES = 500;

/** The entries of a directory, hidden ones too: `name/`, `name` and its bytes, or `name -> target`. */
export async function listDirectory(fs: LsPort, input: LsInput): Promise<ToolOutput> {
  const path = toTreePath(input.path ?? ".");
  const { offset = 0 } = input;
  const name = toModelPath(path);
  let entries: FileSystemDirent[];
  try {
    const stat = await fs.stat(path);
    if (stat.type !== "directory") return { text: `${name} is a file of ${stat.size} bytes; use read to see it` };
    entries = await fs.readdirWithFileTypes(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    return await refusedSearch(fs, "ls", {}, error);
  }
  if (entries.length === 0) return { text: `(${name} is an empty folder)` };
  const wanted = entries.slice(offset, offset + MAX_ENTRIES);
  const lines = await Promise.all(wanted.map((entry) => describe(fs, path, entry)));
  const fitting = countFitting(lines, { lines: OUTPUT_CAPS.lines - 1, bytes: OUTPUT_CAPS.bytes - 256 });
  const shown = lines.slice(0, fitting);
  const next = offset + fitting;
  if (wanted.length === 0) shown.push(`[there are only ${entries.length}; offset=${offset} is behind the last one]`);
  else if (next < entries.length)
    shown.push(`[${entries.length - next} more entries: offset=${next} goes on; or glob pattern="a*" path="${name}"]`);
  return { text: shown.join("\n"), data: { path: name, entries: entries.length } };
}

async function describe(fs: LsPort, directory: string, { name, type }: FileSystemDirent): Promise<string> {
  const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
  if (type === "directory") return `${name}/`;
  if (type === "symlink") return `${name} -> ${await fs.readlink(path)}`;
  return `${name}\t${(await fs.lstat(path)).size}`;
}

const schema = inputSchema<LsInput>(
  z.strictObject({
    path: z.string().optional().describe("default: the workspace"),
    offset: z.int().min(0).optional(),
  }),
  { ...PATH_NAMES, target_directory: "path" },
);

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
