import { packTar, type TarEntry } from "modern-tar";
import type { CommandContext } from "../../shell-command.ts";
import { problemOf } from "../../problem-of.ts";
import { createLister } from "./list-member.ts";
import { isExcluded, safeName } from "./member-names.ts";
import { ArchiveError, MAX_ARCHIVE_BYTES } from "./read-archive.ts";
import type { TarOutput } from "./tar-output.ts";

export interface Creation {
  readonly items: readonly { readonly folder: string; readonly name: string }[];
  /** The path of the archive itself, which is left out. */
  readonly archive: string | undefined;
  readonly excluded: readonly string[];
  readonly follows: boolean;
  readonly recurses: boolean;
  readonly keepsRoot: boolean;
  readonly verbose: number;
  readonly gzip: boolean;
}

/** GNU fills an archive up to records of this size. */
const RECORD = 10_240;

/** The archive; what could not be read is told and left out. Names are printed to `log`. */
export async function createArchive(
  creation: Creation,
  context: CommandContext,
  output: TarOutput,
  log: (line: string) => void,
): Promise<Uint8Array> {
  const entries: TarEntry[] = [];
  const list = createLister(false);
  let total = 0;
  const add = (entry: TarEntry): void => {
    total += entry.header.size + 512;
    if (total > MAX_ARCHIVE_BYTES)
      throw new ArchiveError(`The archive has more than ${MAX_ARCHIVE_BYTES} bytes, the limit of this shell`);
    entries.push(entry);
    if (creation.verbose > 0) log(creation.verbose > 1 ? list(entry.header) : `${entry.header.name}\n`);
  };
  const walk = { creation, context, output, add };
  for (const { folder, name } of creation.items) await addPath(walk, folder, name);
  const packed = await packTar(entries);
  const plain = new Uint8Array(Math.ceil(packed.length / RECORD) * RECORD);
  plain.set(packed);
  return creation.gzip ? compressed(plain) : plain;
}

interface Walk {
  readonly creation: Creation;
  readonly context: CommandContext;
  readonly output: TarOutput;
  readonly add: (entry: TarEntry) => void;
}

async function addPath(walk: Walk, folder: string, name: string): Promise<void> {
  const { creation, context, output } = walk;
  const { fs } = context;
  context.signal.throwIfAborted();
  if (isExcluded(name, creation.excluded)) return;
  const path = fs.resolvePath(folder, name);
  let stat;
  try {
    stat = await (creation.follows ? fs.stat(path) : fs.lstat(path));
  } catch (error) {
    return output.fail(`${name}: Cannot stat: ${problemOf(error)}`);
  }
  if (path === creation.archive) return output.note(`${name}: file is the archive; not dumped`);
  const safe = creation.keepsRoot ? name : safeName(name, output);
  const { mtime } = stat;
  const common = { mtime, mode: stat.mode & 0o7777, uid: 1000, gid: 1000, uname: "user", gname: "user" };
  try {
    if (stat.isDirectory) {
      walk.add({ header: { ...common, name: `${safe.replace(/\/+$/, "")}/`, type: "directory", size: 0 } });
      if (creation.recurses) await addFolder(walk, folder, name);
    } else if (stat.isSymbolicLink) {
      const linkname = await fs.readlink(path);
      walk.add({ header: { ...common, mode: 0o777, name: safe, type: "symlink", size: 0, linkname } });
    } else {
      const body = await fs.readFileBuffer(path);
      walk.add({ header: { ...common, name: safe, type: "file", size: body.length }, body });
    }
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    output.fail(`${name}: Cannot open: ${problemOf(error)}`);
  }
}

async function addFolder(walk: Walk, folder: string, name: string): Promise<void> {
  const { fs } = walk.context;
  const inside = name.replace(/\/+$/, "");
  const names = await fs.readdir(fs.resolvePath(folder, name));
  for (const child of names.sort()) await addPath(walk, folder, `${inside}/${child}`);
}

async function compressed(plain: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([plain]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
