import type { FileSystem } from "@tenrec/protocol";

/** What the hash of a file is made from; without `contentHash`, from its bytes. */
export type HashPort = Pick<FileSystem, "contentHash" | "readFileBytes">;

/** SHA-256 of a file's content, in lower-case hex. */
export async function contentHash(fs: HashPort, path: string): Promise<string> {
  return fs.contentHash ? fs.contentHash(path) : hashBytes(await fs.readFileBytes(path));
}

async function hashBytes(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
