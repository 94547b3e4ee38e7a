import { MAX_PROMPT_BYTES, TenrecError } from "@tenrec/protocol";
import { exportEntries, holdInStore, importEntries, packTar, packTarGz, packZip, unpackArchive } from "@tenrec/vfs";
import { callApi } from "./api.ts";
import type { Sessions } from "./sessions.ts";
import { treeOf, type Workspace } from "./workspace.ts";

/** Room for a prompt of the largest size whose JSON escapes every character. */
const MAX_BODY_BYTES: number = MAX_PROMPT_BYTES * 6 + 64 * 1024;

/** The body, read no further than the limit, whatever length was declared. */
async function readBody(request: Request): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) break;
    bytes += value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      await reader?.cancel();
      throw new TenrecError("prompt-too-large", { bytes, limit: MAX_PROMPT_BYTES });
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    throw new TenrecError("request-invalid", { reason: "the body is not JSON in UTF-8" });
  }
}

/** Replaces nothing: adds the archive's files to the session's tree, in one commit. */
async function importTree(workspace: Workspace, session: string, body: ReadableStream<Uint8Array>): Promise<Response> {
  const { trees, journal } = workspace;
  const { head } = journal.session(session);
  using overlay = trees.overlay(trees.head(head));
  await importEntries(overlay, unpackArchive(body, { hold: holdInStore(overlay) }));
  const { tree, changes } = trees.commit(head, await trees.stage(overlay));
  return Response.json({ tree, files: changes.length });
}

const ARCHIVES = {
  tar: { pack: packTar, type: "application/x-tar" },
  "tar.gz": { pack: packTarGz, type: "application/gzip" },
  zip: { pack: packZip, type: "application/zip" },
} as const;

function exportTree(workspace: Workspace, session: string, format: string): Response {
  if (!Object.hasOwn(ARCHIVES, format)) {
    throw new TenrecError("request-invalid", { reason: `format must be ${Object.keys(ARCHIVES).join(", ")}` });
  }
  const { pack, type } = ARCHIVES[format as keyof typeof ARCHIVES];
  const overlay = workspace.trees.overlay(treeOf(workspace, session));
  return new Response(pack(exportEntries(overlay)), { headers: { "content-type": type } });
}

/** A session as text, made as it is read. */
function exportText(sessions: Sessions, session: string, format: string): Response {
  if (format !== "jsonl" && format !== "markdown") {
    throw new TenrecError("request-invalid", { reason: "format must be jsonl or markdown" });
  }
  const lines = sessions.export(session, format);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${value}\n`));
    },
  });
  const type = format === "jsonl" ? "application/jsonl" : "text/markdown; charset=utf-8";
  return new Response(body, { headers: { "content-type": type } });
}

/** Answers `POST api/<method>`, `GET tree`, `PUT tree` and `GET export` of one workspace. Throws what becomes an error response. */
export async function handleHttp(
  workspace: Workspace,
  sessions: Sessions,
  request: Request,
  path: string,
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const session = searchParams.get("session") ?? "";
  if (path.startsWith("api/") && request.method === "POST") {
    const params = await readJson(request);
    return Response.json({ result: await callApi(workspace, sessions, path.slice("api/".length), params) });
  }
  if (path === "tree" && request.method === "GET") {
    return exportTree(workspace, session, searchParams.get("format") ?? "tar");
  }
  if (path === "export" && request.method === "GET") {
    return exportText(sessions, session, searchParams.get("format") ?? "jsonl");
  }
  if (path === "tree" && request.method === "PUT") {
    if (!request.body)
      throw new TenrecError("request-invalid", { reason: "the body must be a tar, tar.gz or zip archive" });
    return importTree(workspace, session, request.body);
  }
  throw new TenrecError("request-invalid", { reason: `there is nothing at ${request.method} ${path}` });
}
