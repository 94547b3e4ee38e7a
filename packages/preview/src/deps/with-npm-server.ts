import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { integrityOf, type MadePackage, packPackage } from "./with-registry.ts";

/** A registry on this machine, of the packages that are installed for this one and what those need. */
export interface NpmServer {
  readonly url: string;
  stop(): Promise<void>;
}

const IDLE_MS = 600_000;

export async function startNpmServer(from: string, names: readonly string[]): Promise<NpmServer> {
  const folders = new Map<string, string>();
  for (const name of names) addFolder(folders, name, from);
  const tarballs = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const tarballOf = (name: string): Promise<Uint8Array<ArrayBuffer>> => {
    const tarball = tarballs.get(name) ?? packPackage(readPackage(folders.get(name) ?? ""));
    tarballs.set(name, tarball);
    return tarball;
  };
  const server = createServer((request, response) => {
    const [path = "", isTarball] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    if (!folders.has(path)) return void response.writeHead(404).end();
    const answer = isTarball === undefined ? documentOf(path, folders, tarballOf) : tarballOf(path);
    void answer.then((body) => response.end(body));
  });
  // A connection that is closed for being idle may be one on which the next request is just coming.
  server.keepAliveTimeout = IDLE_MS;
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function documentOf(
  name: string,
  folders: ReadonlyMap<string, string>,
  tarballOf: (name: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  const manifest = manifestIn(folders.get(name) ?? "");
  const tarball = `https://registry.npmjs.org/${name}/-/it.tgz`;
  const dist = { tarball, integrity: await integrityOf(await tarballOf(name)) };
  const { version } = manifest;
  return JSON.stringify({ "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } });
}

function addFolder(folders: Map<string, string>, name: string, from: string): void {
  if (folders.has(name)) return;
  let parent = from;
  while (!existsSync(join(parent, "node_modules", name))) {
    if (dirname(parent) === parent) return;
    parent = dirname(parent);
  }
  const folder = realpathSync(join(parent, "node_modules", name));
  folders.set(name, folder);
  const { dependencies, peerDependencies } = manifestIn(folder);
  for (const need of Object.keys({ ...dependencies, ...peerDependencies })) addFolder(folders, need, folder);
}

interface Needs {
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

function manifestIn(folder: string): MadePackage["manifest"] & Needs {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as MadePackage["manifest"];
}

function readPackage(folder: string): MadePackage {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => path !== "package.json" && !path.startsWith("node_modules/"));
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path)) as Uint8Array]));
  return { manifest: manifestIn(folder), files };
}
