import type { SessionClient } from "@tenrec/runtime/client";
import { packTar, readFolder } from "@tenrec/vfs/folder";

/** Copies a folder of this machine, without what its `.gitignore` files exclude, into a session; answers how many files. */
export async function importFolder(session: SessionClient, folder: string): Promise<number> {
  const { files } = await session.files.import(packTar(readFolder(folder)));
  return files;
}
