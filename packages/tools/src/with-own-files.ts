import { createReadTool, createWriteTool } from "./index.ts";
import type { ReadPort, WritePort } from "./index.ts";
import type { ToolSet } from "ai";

/** Two of the tools, over files of your own: a tool asks for no more of a file system than it uses. */
export function mapTools(files: Map<string, Uint8Array>): ToolSet {
  const fs: ReadPort & WritePort = {
    stat: async (path) => {
      const bytes = files.get(path);
      if (!bytes) throw Object.assign(new Error(`No such file: ${path}`), { code: "ENOENT", data: { path } });
      return { type: "file", size: bytes.byteLength, mtime: new Date() };
    },
    exists: async (path) => files.has(path),
    readFileBytes: async (path) => files.get(path) ?? new Uint8Array(),
    writeFile: async (path, content) => void files.set(path, new TextEncoder().encode(content)),
  };
  return { read: createReadTool({ fs }), write: createWriteTool({ fs }) };
}
