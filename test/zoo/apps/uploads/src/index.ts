import { handleMultipart } from "./multipart";

export interface Env {
  BUCKET: R2Bucket;
}

function headersOf(object: R2Object): Headers {
  const headers = new Headers();
  object.writeHttpMetadata(headers);
  headers.set("etag", object.httpEtag);
  headers.set("accept-ranges", "bytes");
  return headers;
}

function hasBody(object: R2Object | R2ObjectBody): object is R2ObjectBody {
  return "body" in object && object.body !== undefined;
}

async function download(request: Request, env: Env, key: string): Promise<Response> {
  const object = await env.BUCKET.get(key, { range: request.headers, onlyIf: request.headers });
  if (object === null) return new Response("Object Not Found", { status: 404 });
  const headers = headersOf(object);
  if (!hasBody(object)) return new Response(null, { status: 304, headers });
  if (request.headers.has("range") && object.range && "offset" in object.range) {
    const { offset = 0, length = object.size } = object.range as { offset?: number; length?: number };
    headers.set("content-range", `bytes ${offset}-${offset + length - 1}/${object.size}`);
    return new Response(object.body, { status: 206, headers });
  }
  return new Response(object.body, { headers });
}

async function upload(request: Request, env: Env): Promise<Response> {
  const form = await request.formData();
  const file = form.get("file");
  if (!(file instanceof File)) return new Response("No file", { status: 400 });
  const object = await env.BUCKET.put(`files/${file.name}`, file.stream(), {
    httpMetadata: { contentType: file.type, cacheControl: "private" },
    customMetadata: { note: String(form.get("note") ?? "") },
  }).catch(async () =>
    env.BUCKET.put(`files/${file.name}`, await file.arrayBuffer(), {
      httpMetadata: { contentType: file.type, cacheControl: "private" },
      customMetadata: { note: String(form.get("note") ?? "") },
    }),
  );
  return Response.json({ key: object.key, size: object.size, etag: object.etag }, { status: 201 });
}

async function list(url: URL, env: Env): Promise<Response> {
  const options: R2ListOptions = { limit: Number(url.searchParams.get("limit") ?? 100), include: ["customMetadata"] };
  const prefix = url.searchParams.get("prefix");
  const page = await env.BUCKET.list({ ...options, ...(prefix ? { prefix, delimiter: "/" } : {}) });
  return Response.json({
    keys: page.objects.map(({ key, size, customMetadata }) => ({ key, size, customMetadata })),
    folders: page.delimitedPrefixes,
    truncated: page.truncated,
  });
}

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    const key = decodeURIComponent(url.pathname.slice(1));
    if (url.searchParams.has("uploads") || url.searchParams.has("uploadId")) return handleMultipart(request, url, env.BUCKET, key);
    switch (request.method) {
      case "GET":
        return key === "" ? list(url, env) : download(request, env, key);
      case "HEAD": {
        const object = await env.BUCKET.head(key);
        return new Response(null, object ? { headers: headersOf(object) } : { status: 404 });
      }
      case "POST":
        return upload(request, env);
      case "PUT": {
        const object = await env.BUCKET.put(key, request.body, { httpMetadata: request.headers, onlyIf: request.headers });
        return object ? new Response(`Put ${key}: ${object.size}`, { headers: { etag: object.httpEtag } }) : new Response("Precondition Failed", { status: 412 });
      }
      case "DELETE":
        await env.BUCKET.delete(key);
        return new Response(null, { status: 204 });
      default:
        return new Response("Method Not Allowed", { status: 405, headers: { allow: "GET, HEAD, POST, PUT, DELETE" } });
    }
  },
} satisfies ExportedHandler<Env>;
