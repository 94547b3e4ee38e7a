import { type Egress, type EgressRequest, TenrecError } from "@tenrec/protocol";
import { createTarPacker } from "modern-tar";

/** A package as its author has it. */
export interface MadePackage {
  readonly manifest: { readonly name: string; readonly version: string } & Readonly<Record<string, unknown>>;
  /** Contents by path within the package. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
}

/** An entry of a tarball, as hostile as a test wants it. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: "file" | "symlink" | "link" | "directory";
  readonly linkname?: string;
}

export async function packEntries(entries: readonly TarEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const { readable, controller } = createTarPacker();
  const packed = new Response(readable.pipeThrough(new CompressionStream("gzip"))).bytes();
  for (const { name, content = "", type = "file", linkname } of entries) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const header = {
      name,
      type,
      size: bytes.length,
      mtime: new Date(0),
      ...(linkname === undefined ? {} : { linkname }),
    };
    const writer = controller.add(header).getWriter();
    if (bytes.length > 0) await writer.write(bytes);
    await writer.close();
  }
  controller.finalize();
  return new Uint8Array(await packed);
}

/** The tarball of a package as `npm pack` makes it. */
export function packPackage({ manifest, files }: MadePackage): Promise<Uint8Array<ArrayBuffer>> {
  const entries = Object.entries(files).map(([path, content]) => ({ name: `package/${path}`, content }));
  return packEntries([{ name: "package/package.json", content: JSON.stringify(manifest) }, ...entries]);
}

export async function integrityOf(bytes: Uint8Array<ArrayBuffer>, algorithm = "sha512"): Promise<string> {
  const hash = await crypto.subtle.digest(algorithm.replace("sha", "SHA-"), bytes);
  return `${algorithm}-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}

export const REGISTRY = "https://registry.test";

/** An answer of a registry: bytes, or a status alone. */
type Answer = Uint8Array<ArrayBuffer> | number;

/** A registry in memory, as the way out that leads to it. */
export interface FakeRegistry {
  readonly egress: Egress;
  /** What was asked for, without the host. */
  readonly requests: EgressRequest[];
  /** By path. A test may change them. */
  readonly answers: Map<string, Answer>;
}

export async function fakeRegistry(packages: readonly MadePackage[] = []): Promise<FakeRegistry> {
  const answers = new Map<string, Answer>();
  const documents = new Map<string, { versions: Record<string, unknown>; "dist-tags": Record<string, string> }>();
  for (const one of packages) {
    const { name, version } = one.manifest;
    const bytes = await packPackage(one);
    const path = `/${name}/-/${name.slice(name.indexOf("/") + 1)}-${version}.tgz`;
    answers.set(path, bytes);
    const document = documents.get(name) ?? { versions: {}, "dist-tags": {} };
    documents.set(name, document);
    const dist = { tarball: `${REGISTRY}${path}`, integrity: await integrityOf(bytes) };
    document.versions[version] = { ...one.manifest, dist };
    // The last one given is the latest.
    document["dist-tags"]["latest"] = version;
  }
  for (const [name, document] of documents) {
    answers.set(`/${name.replace("/", "%2f")}`, new Uint8Array(new TextEncoder().encode(JSON.stringify(document))));
  }
  const requests: EgressRequest[] = [];
  return { egress: { fetch: (request) => answer(request, answers, requests) }, requests, answers };
}

async function answer(
  request: EgressRequest,
  answers: FakeRegistry["answers"],
  requests: EgressRequest[],
): ReturnType<Egress["fetch"]> {
  request.signal.throwIfAborted();
  requests.push(request);
  const { pathname } = new URL(request.url);
  const found = answers.get(pathname) ?? 404;
  const { url, maxBytes } = request;
  const body = async function* (): AsyncGenerator<Uint8Array> {
    if (typeof found === "number") return;
    if (found.length > maxBytes) throw new TenrecError("response-too-large", { url, limit: maxBytes });
    yield found;
  };
  const status = typeof found === "number" ? found : 200;
  return { url, redirects: [], status, statusText: "", headers: new Headers(), body: body() };
}
