import type { PreviewReport, ToolOutput } from "@tenrec/protocol";
import { BINARY_BYTES, isBinary, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import { capOutput } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { inputSchema } from "../input-schema.ts";
import type { SavedOutputs } from "../tool-ports.ts";
import { joinBytes } from "../web/read-body.ts";
import { reportLines } from "./report-lines.ts";

/** The app as it is live. */
export interface PreviewPort {
  /** Answers as the app in the session's files does. What it throws is for the model. */
  fetch(request: Request): Promise<Response>;
  /** What the app and its build said since this was asked last. */
  news(): readonly PreviewReport[];
  /**
   * After a request that failed: resolves once the news say why, or after a second. An app that answers for its own exceptions
   * only logs them, and logs come after the answer. Rejects with the signal's reason.
   */
  explained(signal: AbortSignal): Promise<void>;
}

export interface PreviewPorts {
  readonly preview: PreviewPort;
  readonly outputs: SavedOutputs;
}

export interface PreviewInput {
  path?: string | undefined;
  method?: string | undefined;
  headers?: string[] | undefined;
  body?: string | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** Of an answer, what comes first; the rest is not read. */
const MAX_BYTES = 1024 * 1024;

/** A stream that does not end is shown as far as it has come. In milliseconds. */
const MAX_MS = 10_000;

/** Where requests seem to come from: the app sees no other host. */
const ORIGIN = "http://preview.localhost";

/** Asks the app, if a path is given, and tells what is new. */
export async function askPreview(ports: PreviewPorts, input: PreviewInput, signal: AbortSignal): Promise<ToolOutput> {
  const answer = input.path === undefined ? undefined : await ask(ports, input, input.path, signal);
  if (answer && answer.status >= 500) await ports.preview.explained(signal);
  const news = reportLines(ports.preview.news());
  const said = news.length > 0 ? ["Since last time the app said:", ...news] : ["Nothing else is new."];
  const text = capOutput([...(answer ? [answer.text, ""] : []), ...said].join("\n"), ports.outputs);
  return { text, ...(answer ? { data: { status: answer.status } } : {}) };
}

async function ask(
  { preview }: PreviewPorts,
  { method = "GET", headers = [], body }: PreviewInput,
  path: string,
  signal: AbortSignal,
): Promise<{ text: string; status: number }> {
  const request = new Request(urlOf(path), {
    method,
    headers: headersOf(headers),
    redirect: "manual",
    ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }),
  });
  const response = await preview.fetch(request);
  const { bytes, note } = await readSome(response.body, signal);
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const shown = isBinary(bytes.subarray(0, BINARY_BYTES))
    ? `[${bytes.byteLength} bytes that are no text]`
    : new TextDecoder().decode(bytes);
  const head = `${method} ${path}: ${response.status} ${response.statusText}`.trim();
  return { text: [head, ...lines, "", shown, ...note].join("\n"), status: response.status };
}

function urlOf(path: string): URL {
  const url = path.startsWith("/") ? URL.parse(ORIGIN + path) : null;
  if (url) return url;
  throw new TenrecError("tool-input-invalid", {
    tool: "preview",
    reason: `path must begin with /, such as /api/items?page=2`,
  });
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      const reason = `${JSON.stringify(line)} is no header: write it as "name: value"`;
      throw new TenrecError("tool-input-invalid", { tool: "preview", reason });
    }
    headers.append(name, value);
  }
  return headers;
}

async function readSome(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; note: string[] }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  const end = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
  const stopped = new Promise<undefined>((resolve) => {
    end.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  while (reader && size <= MAX_BYTES) {
    const next = await Promise.race([reader.read(), stopped]);
    if (next === undefined || next.done) break;
    chunks.push(next.value);
    size += next.value.byteLength;
  }
  const isCut = size > MAX_BYTES || end.aborted;
  if (isCut) await reader?.cancel();
  signal.throwIfAborted();
  const note = size > MAX_BYTES ? `[cut after ${size} bytes]` : `[cut after ${MAX_MS / 1000} s: it had not ended]`;
  return { bytes: joinBytes(chunks), note: isCut ? [note] : [] };
}

const schema = inputSchema<PreviewInput>(
  z.strictObject({
    path: z.string().optional().describe("Such as /api/items?page=2. Without it, only tells what is new"),
    method: z.enum(METHODS).optional(),
    headers: z.array(z.string()).optional().describe('Each "name: value"'),
    body: z.string().optional(),
  }),
);

/** The `preview` tool. A request may change what the app stores, so a call that was cut off is not repeated. */
export function createPreviewTool(ports: PreviewPorts): CodingTool {
  return createCodingTool<PreviewInput>({
    name: "preview",
    description:
      "Run the Worker of this project as it is now: request a path, and see errors and console output since last time.",
    schema,
    traits: { replay: "unsafe", permission: "execute" },
    run: (input, signal) => askPreview(ports, input, signal),
  });
}
