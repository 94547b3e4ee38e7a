import type { TarHeader } from "modern-tar";
import type { IFileSystem } from "just-bash/browser";
import type { CommandContext } from "../../shell-command.ts";
import { problemOf } from "../../problem-of.ts";
import { hasDotDot, safeName, stripped } from "./member-names.ts";
import type { TarMember } from "./read-archive.ts";
import type { TarOutput } from "./tar-output.ts";

export interface Extraction {
  readonly folder: string;
  readonly strip: number;
  readonly keepsOld: boolean;
  readonly keepsRoot: boolean;
  readonly keepsModes: boolean;
}

/** Members as files. `finish` makes the links that lead elsewhere: made at once, they would lead later members there. */
export interface Extractor {
  /** False where nothing of the name is left, or it is refused. */
  extract(member: TarMember): Promise<boolean>;
  finish(): Promise<void>;
}

export function createExtractor(options: Extraction, { fs }: CommandContext, output: TarOutput): Extractor {
  const later: { readonly name: string; readonly path: string; readonly target: string }[] = [];
  const pathOf = (name: string, what?: string): string =>
    fs.resolvePath(options.folder, options.keepsRoot ? name : safeName(name, output, what));

  async function make(member: TarMember, name: string, path: string): Promise<void> {
    const { header, data } = member;
    if (header.type === "directory") return makeFolder(fs, path);
    if (!["file", "symlink", "link"].includes(header.type ?? "file"))
      return output.fail(`${name}: Cannot mknod: Operation not permitted`);
    if (isSparse(header)) return output.fail(`${name}: Sparse files are not read here`);
    if (!(await clear(fs, path, options.keepsOld))) return output.fail(`${name}: Cannot open: File exists`);
    await fs.mkdir(parentOf(path), { recursive: true });
    if (header.type === "symlink") return link(name, path, header.linkname ?? "");
    const content = header.type === "link" ? await linked(header, path) : { data, mode: header.mode ?? 0o644 };
    if (content === undefined) return;
    await fs.writeFile(path, content.data);
    await fs.chmod(path, content.mode & (options.keepsModes ? 0o777 : 0o755));
  }

  async function link(name: string, path: string, target: string): Promise<void> {
    if (target.startsWith("/") || hasDotDot(target)) later.push({ name, path, target });
    else await fs.symlink(target, path);
  }

  /** There are no hard links in a tree, so one becomes a copy. */
  async function linked(header: TarHeader, path: string): Promise<{ data: Uint8Array; mode: number } | undefined> {
    const target = stripped(header.linkname ?? "", options.strip) ?? "";
    const from = pathOf(target, "hard link targets");
    try {
      if (hasDotDot(target) && !options.keepsRoot) throw new Error("Member name contains '..'");
      if (from === path) throw new Error("It is itself");
      return { data: await fs.readFileBuffer(from), mode: (await fs.stat(from)).mode };
    } catch (error) {
      output.fail(`${header.name}: Cannot hard link to '${header.linkname}': ${problemOf(error)}`);
      return undefined;
    }
  }

  return {
    async extract(member) {
      const { name } = member.header;
      const short = stripped(name, options.strip);
      if (short === undefined) return false;
      const path = pathOf(short);
      if (hasDotDot(short) && !options.keepsRoot) {
        output.fail(`${name}: Member name contains '..'`);
        return false;
      }
      try {
        await make(member, name, path);
      } catch (error) {
        output.fail(`${name}: Cannot open: ${problemOf(error)}`);
      }
      return true;
    },
    async finish() {
      for (const { name, path, target } of later) {
        try {
          await fs.symlink(target, path);
        } catch (error) {
          output.fail(`${name}: Cannot create symlink to '${target}': ${problemOf(error)}`);
        }
      }
    },
  };
}

async function makeFolder(fs: IFileSystem, path: string): Promise<void> {
  const there = await fs.lstat(path).catch(() => undefined);
  // Not a link: what is in the folder would go where that leads.
  if (there && !there.isDirectory) await fs.rm(path);
  if (!there?.isDirectory) await fs.mkdir(path, { recursive: true });
}

/** Whether a file can be made there: one that was there, or a link, is gone. */
async function clear(fs: IFileSystem, path: string, keepsOld: boolean): Promise<boolean> {
  const there = await fs.lstat(path).catch(() => undefined);
  if (!there) return true;
  if (keepsOld || (there.isDirectory && (await fs.readdir(path)).length > 0)) return false;
  await fs.rm(path, { recursive: there.isDirectory });
  return true;
}

function isSparse({ pax = {} }: TarHeader): boolean {
  return Object.keys(pax).some((key) => key.startsWith("GNU.sparse."));
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
