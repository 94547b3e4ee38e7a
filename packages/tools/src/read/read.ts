import type { FileSystem, FsStat, ToolOutput } from "@tenrec/protocol";
import { BINARY_BYTES, isBinary, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { encodeBase64 } from "./encode-base64.ts";
import { inputSchema } from "../input-schema.ts";
import type { LineWindow } from "./line-window.ts";
import { windowLines } from "./line-window.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { SavedOutputs } from "../tool-ports.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface ReadInput {
  path: string;
  /** First line, from 1. */
  offset?: number | undefined;
  /** How many lines. */
  limit?: number | undefined;
}

/** What `read` needs of a file system. Without `readRange`, files above `MAX_WHOLE_READ` are refused. */
export type ReadPort = Pick<FileSystem, "stat" | "readFileBytes" | "readRange">;

export interface ReadPorts {
  readonly fs: ReadPort;
  /** Absent where no output is ever saved. */
  readonly outputs?: Pick<SavedOutputs, "read">;
}

/** Largest image or PDF that is handed to a model, in bytes. */
export const MAX_MEDIA_BYTES: number = 3.5 * 1024 * 1024;

/** Largest file that is read at once from a store that cannot read a part of it, in bytes. */
export const MAX_WHOLE_READ: number = 8 * 1024 * 1024;

const PIECE_BYTES = 256 * 1024;

/**
 * The lines of a text file, numbered, within the output caps; the last line says how to read on. An image or a PDF comes
 * as media. Reads no more of a file than it shows, apart from the lines before `offset`.
 */
export async function readFileLines(ports: ReadPorts, input: ReadInput, signal: AbortSignal): Promise<ToolOutput> {
  if (input.path.startsWith("/output/")) return readSaved(ports, input);
  const path = toTreePath(input.path);
  const stat = await ports.fs.stat(path);
  if (stat.type === "directory") throw new TenrecError("EISDIR", { path });
  const reader = pieceReader(ports.fs, path, stat);
  const head = await reader(0, BINARY_BYTES);
  const mediaType = mediaTypeOf(head);
  if (mediaType) return readMedia(ports.fs, path, mediaType, stat.size);
  if (isBinary(head)) throw binary(path, stat.size);
  const found = await windowLines(pieces(reader, head, stat.size, signal), input.offset ?? 1, input.limit ?? Infinity);
  return present(found, input, toModelPath(path));
}

type PieceReader = (offset: number, length: number) => Promise<Uint8Array>;

function pieceReader(fs: ReadPort, path: string, { size }: FsStat): PieceReader {
  if (fs.readRange) return (offset, length) => fs.readRange!(path, offset, length);
  if (size > MAX_WHOLE_READ) throw new TenrecError("EFBIG", { path, size, limit: MAX_WHOLE_READ });
  let whole: Promise<Uint8Array> | undefined;
  return async (offset, length) => {
    whole ??= fs.readFileBytes(path);
    return (await whole).subarray(offset, offset + length);
  };
}

async function* pieces(
  read: PieceReader,
  head: Uint8Array,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  yield head;
  let offset = head.byteLength;
  while (offset < size) {
    signal.throwIfAborted();
    const piece = await read(offset, PIECE_BYTES);
    if (piece.byteLength === 0) return;
    offset += piece.byteLength;
    yield piece;
  }
}

async function readSaved({ outputs }: ReadPorts, input: ReadInput): Promise<ToolOutput> {
  const text = outputs?.read(input.path);
  if (text === undefined) throw failed(`there is no saved output ${input.path}. Run the command again.`);
  const found = await windowLines(single(new TextEncoder().encode(text)), input.offset ?? 1, input.limit ?? Infinity);
  return present(found, input, input.path);
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readMedia(fs: ReadPort, path: string, mediaType: string, size: number): Promise<ToolOutput> {
  const name = toModelPath(path);
  if (size > MAX_MEDIA_BYTES)
    throw failed(`${name} (${mediaType}) has ${size} bytes, more than the ${MAX_MEDIA_BYTES} that can be shown.`);
  const data = encodeBase64(await fs.readFileBytes(path));
  return { text: `${name}: ${mediaType}, ${size} bytes`, media: [{ mediaType, data }] };
}

function present({ lines, total, cut }: LineWindow, input: ReadInput, name: string): ToolOutput {
  const offset = input.offset ?? 1;
  if (total === 0) return { text: `(${name} is empty)` };
  if (lines.length === 0 && total !== undefined)
    throw failed(`offset=${offset} is beyond the end: ${name} has ${total} line${total === 1 ? "" : "s"}.`);
  const last = offset + lines.length - 1;
  const notes: string[] = [];
  if (cut) notes.push(`[long lines are cut; bash: sed -n '<line>p' ${name} | cut -c 2001-4000 shows more]`);
  if (total === undefined)
    notes.push(`[lines ${offset}-${last} shown, there are more; read on with offset=${last + 1}]`);
  return { text: [...lines, ...notes].join("\n"), data: { path: name, offset, lines: lines.length } };
}

function binary(path: string, size: number): TenrecError<"tool-failed"> {
  const name = toModelPath(path);
  return failed(`${name} is a binary file of ${size} bytes. Look into it with bash: file, strings, or od -c | head.`);
}

function failed(reason: string): TenrecError<"tool-failed"> {
  return new TenrecError("tool-failed", { tool: "read", reason });
}

const schema = inputSchema<ReadInput>(
  z.strictObject({
    path: z.string().min(1),
    offset: z.int().min(1).optional().describe("first line, from 1"),
    limit: z.int().min(1).optional().describe("number of lines"),
  }),
);

/** The `read` tool. */
export function createReadTool(ports: ReadPorts): CodingTool {
  return createCodingTool<ReadInput>({
    name: "read",
    description: "Read a text file as numbered lines, or look at an image or PDF. Up to 2000 lines at a time.",
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => readFileLines(ports, input, signal),
  });
}
