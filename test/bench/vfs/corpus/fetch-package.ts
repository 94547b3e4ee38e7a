import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** A package of the registry, as it was on the day it was chosen. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** `sha512-` and the hash of the tarball in base64, as in a lockfile. */
  readonly integrity: string;
}

/** The tarball of a package, from `cache` or from the registry that npm is configured for. */
export async function fetchPackage(pinned: PinnedPackage, cache: string, say: (line: string) => void): Promise<Buffer> {
  const spec = `${pinned.name}@${pinned.version}`;
  const file = join(cache, `${spec.replaceAll("/", "-")}.tgz`);
  const cached = await readFile(file).catch(() => undefined);
  if (cached && integrityOf(cached) === pinned.integrity) return cached;
  say(`fetching ${spec}`);
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "fetching-"));
  try {
    const packed = join(folder, await npmPack(spec, folder));
    const bytes = await readFile(packed);
    const found = integrityOf(bytes);
    if (found !== pinned.integrity) throw new Error(`${spec} is not the pinned one: it has the integrity ${found}`);
    await rename(packed, file);
    return bytes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function npmPack(spec: string, folder: string): Promise<string> {
  const args = ["pack", spec, "--json", "--ignore-scripts", "--pack-destination", folder];
  try {
    const { stdout } = await promisify(execFile)("npm", args, { cwd: folder });
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    if (packed) return packed.filename;
    throw new Error("npm packed nothing");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${spec} could not be fetched; the first run needs the npm registry.\n${reason}`, { cause: error });
  }
}

function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
}
