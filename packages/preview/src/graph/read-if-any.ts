import { type FileSystem, hasCode } from "@tenrec/protocol";

/** Undefined where there is no file; a directory counts as none. */
export async function readBytesIfAny(fs: FileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    return await fs.readFileBytes(path);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "EISDIR") || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** As `readBytesIfAny`, decoded as UTF-8 and without a byte order mark. */
export async function readTextIfAny(fs: FileSystem, path: string): Promise<string | undefined> {
  const bytes = await readBytesIfAny(fs, path);
  return bytes && new TextDecoder().decode(bytes);
}
