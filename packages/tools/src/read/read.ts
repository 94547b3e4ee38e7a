import type { FileSystem, FsStat, ToolOutput } from "@tenrec/protocol";
import { BINARY_BYTES, isBinary, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { contentHash } from "../content-hash.ts";
import { encodeBase64 } from "./encode-base64.ts";
import { inputSchema } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import { MAX_BYTE_WINDOW, windowBytes } from "./byte-window.ts";
import type { LineWindow } from "./line-window.ts";
import { windowLines } from "./line-window.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { SavedOutputs, SeenFiles } from "../tool-ports.ts";
import { tellNearest } from "../search/missing-file.ts";
import type { NearestPathPort } from "../search/nearest-path.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface ReadInput {
  path: string;
  /** First line, from 1, or first byte, from 0. */
  offset?: number | undefined;
  /** How many lines, or bytes. */
  limit?: number | undefined;
  /** What `offset` and `limit` count; lines, unless it is given. */
  unit?: "lines" | "bytes" | undefined;
}

/** What `read` needs of a file system. Without `readRange`, files above `MAX_WHOLE_READ` are refused. */
export type ReadPort = Pick<FileSystem, "stat" | "readFileBytes" | "readRange" | "contentHash"> &
  Partial<NearestPathPort>;

export interface ReadPorts {
  readonly fs: ReadPort;
  /** Absent where no output is ever saved. */
  readonly outputs?: Pick<SavedOutputs, "read">;
  /** Told what was read. Absent where nobody wants to know. */
  readonly seen?: Pick<SeenFiles, "see">;
}

/** Largest image or PDF that is handed to a model, in bytes. */
export const MAX_MEDIA_BYTES: number = 3.5 * 1024 * 1024;

/** Largest file that is read at once from a store that cannot read a part of it, in bytes. */
export const MAX_WHOLE_READ: number = 8 * 1024 * 1024;

/** Of lines that were cut, how many are told of. */
const SHOWN_CUTS = 3;

const PIECE_BYTES = 256 * 1024;

/**
 * The lines of a text file, numbered, or a piece of it by bytes, within the output caps; the last line says how to read on.
 * An image or a PDF comes as media. Reads no more of a file than it shows, apart from the lines before `offset`.
 */
export async function readFileLines(ports: ReadPorts, input: ReadInput, signal: AbortSignal): Promise<ToolOutput> {
  if (input.path.startsWith("/output/")) return readSaved(ports, input, signal);
  const path = toTreePath(input.path);
  const stat = await ports.fs.stat(path);
  if (stat.type === "directory") throw new TenrecError("EISDIR", { path });
  const reader = pieceReader(ports.fs, path, stat);
  const output = await readContent(ports.fs, path, reader, stat.size, input, signal);
  // A store that must load the whole file to know its hash has refused a large one by now.
  if (ports.seen && (ports.fs.contentHash || stat.size <= MAX_WHOLE_READ))
    ports.seen.see(path, await contentHash(ports.fs, path));
  return output;
}

async function readContent(
  fs: ReadPort,
  path: string,
  reader: PieceReader,
  size: number,
  input: ReadInput,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const head = await reader(0, BINARY_BYTES);
  const mediaType = mediaTypeOf(head);
  if (mediaType) return readMedia(fs, path, mediaType, size);
  if (isBinary(head)) throw binary(path, size);
  return readText(reader, head, size, input, toModelPath(path), signal);
}

async function readText(
  reader: PieceReader,
  head: Uint8Array,
  size: number,
  input: ReadInput,
  name: string,
  signal: AbortSignal,
): Promise<ToolOutput> {
  if (size === 0) return { text: `(${name} is empty)` };
  if (input.unit === "bytes") return readBytes(reader, size, input, name);
  const offset = Math.max(1, input.offset ?? 1);
  const found = await windowLines(pieces(reader, head, size, signal), offset, input.limit ?? Infinity);
  return present(found, offset, name);
}

async function readBytes(reader: PieceReader, size: number, input: ReadInput, name: string): Promise<ToolOutput> {
  const offset = input.offset ?? 0;
  if (offset >= size) throw failed(`offset=${offset} is beyond the end: ${name} has ${size} bytes.`);
  const length = Math.min(input.limit ?? Infinity, MAX_BYTE_WINDOW, size - offset);
  const { text, from, to } = windowBytes(await reader(offset, length), offset, offset + length === size);
  const rest = to < size ? `; read on with unit="bytes" offset=${to}` : "";
  return { text: `${text}\n[bytes ${from}-${to - 1} of ${size} shown${rest}]`, data: { path: name, from, to } };
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

async function readSaved({ outputs }: ReadPorts, input: ReadInput, signal: AbortSignal): Promise<ToolOutput> {
  const text = outputs?.read(input.path);
  if (text === undefined) throw failed(`there is no saved output ${input.path}. Run the command again.`);
  const bytes = new TextEncoder().encode(text);
  const reader: PieceReader = (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length));
  return readText(reader, bytes.subarray(0, BINARY_BYTES), bytes.byteLength, input, input.path, signal);
}

async function readMedia(fs: ReadPort, path: string, mediaType: string, size: number): Promise<ToolOutput> {
  const name = toModelPath(path);
  if (size > MAX_MEDIA_BYTES)
    throw failed(`${name} (${mediaType}) has ${size} bytes, more than the ${MAX_MEDIA_BYTES} that can be shown.`);
  const data = encodeBase64(await fs.readFileBytes(path));
  return { text: `${name}: ${mediaType}, ${size} bytes`, media: [{ mediaType, data }] };
}

function present({ lines, total, cut }: LineWindow, offset: number, name: string): ToolOutput {
  if (lines.length === 0 && total !== undefined)
    throw failed(`offset=${offset} is beyond the end: ${name} has ${total} line${total === 1 ? "" : "s"}.`);
  const last = offset + lines.length - 1;
  const notes = cut.slice(0, SHOWN_CUTS).map(({ line, rest }) => {
    return `[line ${line} is cut; unit="bytes" offset=${rest} shows the rest]`;
  });
  if (cut.length > SHOWN_CUTS) notes.push(`[${cut.length - SHOWN_CUTS} more lines are cut]`);
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
    offset: z.int().min(0).optional().describe("first line, from 1"),
    limit: z.int().min(1).optional().describe("number of lines"),
    unit: z.enum(["lines", "bytes"]).optional().describe("bytes: offset counts from 0"),
  }),
  PATH_NAMES,
);

/** The `read` tool. */
export function createReadTool(ports: ReadPorts): CodingTool {
  return createCodingTool<ReadInput>({
    name: "read",
    description: "Read a text file as numbered lines, up to 2000, or look at an image or PDF.",
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => tellNearest(ports.fs, () => readFileLines(ports, input, signal)),
  });
}
