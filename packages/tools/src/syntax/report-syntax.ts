import type { FileSystem, ToolOutput } from "@tenrec/protocol";
import type { CodingTool } from "../coding-tool.ts";
import { toModelPath } from "../workspace-path.ts";
import { isJson, jsonFaults } from "./json-faults.ts";
import { isScript, scriptFaults } from "./script-faults.ts";
import type { SyntaxFault } from "./syntax-fault.ts";

export interface SyntaxPorts {
  readonly fs: Pick<FileSystem, "stat" | "readFile">;
  /** Tree paths of the files that the call has changed so far. */
  readonly changed: () => readonly string[];
}

/** Larger files are seldom written by hand, and take a tenth of a second. */
const MAX_BYTES = 256 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024;
const MAX_FILES = 20;
/** What is parsed before others get a turn of the event loop: a turn takes longer than a file of a usual size. */
const BYTES_PER_TURN = 64 * 1024;
const SHOWN_FAULTS = 3;
/** Made by programs, not to be read. */
const MADE = /(^|\/)(node_modules|dist|build|vendor)\/|\.min\.[cm]?js$/;

/** The tool, with the syntax errors of the files that a call changed at the end of its answer. */
export function reportSyntax(tool: CodingTool, ports: SyntaxPorts): CodingTool {
  const { execute } = tool;
  if (!execute) return tool;
  return {
    ...tool,
    execute: async (input, options): Promise<ToolOutput> => {
      const output = (await execute(input, options)) as ToolOutput;
      // What ran elsewhere made its files by itself, and maybe thousands.
      if (isRecord(output.data) && "executor" in output.data) return output;
      const note = await syntaxNote(ports, options.abortSignal);
      return note === "" ? output : { ...output, text: `${output.text}\n${note}` };
    },
  };
}

async function syntaxNote({ fs, changed }: SyntaxPorts, signal: AbortSignal | undefined): Promise<string> {
  const paths = changed().filter((path) => (isScript(path) || isJson(path)) && !MADE.test(path));
  const notes: string[] = [];
  let [total, sinceTurn] = [0, 0];
  for (const path of paths.slice(0, MAX_FILES)) {
    const size = await sizeOf(fs, path);
    if (size === 0 || size > MAX_BYTES || total + size > MAX_TOTAL_BYTES) continue;
    total += size;
    sinceTurn += size;
    if (sinceTurn > Math.max(size, BYTES_PER_TURN)) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
      sinceTurn = size;
    }
    const text = await fs.readFile(path);
    // A parser that gives up, as on a text that is nested too deep for it, says nothing about the text.
    const faults = await faultsIn(path, text).catch(() => []);
    if (faults.length > 0) notes.push(describe(path, faults));
  }
  return notes.join("\n");
}

/** 0 for what is not a file any more. */
async function sizeOf(fs: SyntaxPorts["fs"], path: string): Promise<number> {
  const stat = await fs.stat(path).catch(() => undefined);
  return stat?.type === "file" ? stat.size : 0;
}

function faultsIn(path: string, text: string): Promise<SyntaxFault[]> {
  return isJson(path) ? jsonFaults(path, text) : scriptFaults(path, text);
}

function describe(path: string, faults: readonly SyntaxFault[]): string {
  const shown = faults.slice(0, SHOWN_FAULTS).map(({ line, column, message }) => `  ${line}:${column} ${message}`);
  const more = faults.length > SHOWN_FAULTS ? [`  and ${faults.length - SHOWN_FAULTS} more`] : [];
  return [`Syntax errors in ${toModelPath(path)}; correct them:`, ...shown, ...more].join("\n");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
