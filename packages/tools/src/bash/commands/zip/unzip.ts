import type { CommandContext, CommandOutput, ShellCommand } from "../../shell-command.ts";
import { globMatch } from "../glob-match.ts";
import { type ParsedOptions, parseOptions, UsageError } from "../parse-options.ts";
import { problemOf } from "../../problem-of.ts";
import { MAX_ARCHIVE_BYTES } from "../tar/read-archive.ts";
import { readEntry, readZip, type ZipEntry, ZipError } from "./read-zip.ts";

const SPEC = { short: "oqlpjntd:x:" };
const LINK = 0o120000;

/** `unzip`; what else it can do needs an executor. */
export const unzip: ShellCommand = {
  name: "unzip",
  takes: (args) => optionsOf(args.map((arg) => arg ?? "")) !== undefined,
  async run(args, context) {
    const options = optionsOf(args);
    if (!options) return context.elsewhere();
    const [file, ...names] = options.operands;
    if (file === undefined) return { stdout: "Usage: unzip [-opts] file[.zip] [list] [-x xlist] [-d exdir]\n" };
    const path = await archivePath(file, context);
    if (path === undefined)
      return { stderr: `unzip:  cannot find or open ${file}, ${file}.zip or ${file}.ZIP.\n`, exitCode: 9 };
    const session: Session = {
      options,
      names,
      bytes: await context.fs.readFileBuffer(path),
      context,
      stderr: "",
      code: 0,
    };
    try {
      return await unpack(session, path === context.resolve(file) ? file : `${file}.zip`);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      return { stderr: `error:  ${error.message}\n`, exitCode: 3 };
    }
  },
};

interface Session {
  readonly options: ParsedOptions;
  readonly names: readonly string[];
  readonly bytes: Uint8Array;
  readonly context: CommandContext;
  stderr: string;
  code: number;
}

/** `-x` takes all words up to the next option. Undefined for what is not done here. */
function optionsOf(args: readonly string[]): ParsedOptions | undefined {
  let isListing = false;
  const words = args.flatMap((arg) => {
    if (arg === "-x") {
      isListing = true;
      return [];
    }
    if (arg.startsWith("-")) isListing = false;
    return isListing ? ["-x", arg] : [arg];
  });
  try {
    return parseOptions(words, SPEC);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function archivePath(file: string, { fs, resolve }: CommandContext): Promise<string | undefined> {
  for (const name of [file, `${file}.zip`]) {
    if ((await fs.stat(resolve(name)).catch(() => undefined))?.isFile) return resolve(name);
  }
  return undefined;
}

async function unpack(session: Session, file: string): Promise<CommandOutput> {
  const { options, names } = session;
  const entries = readZip(session.bytes);
  const head = options.has("q") || options.has("p") ? "" : `Archive:  ${file}\n`;
  if (!entries)
    return {
      stdout: head,
      stderr: `unzip:  cannot find zipfile directory in one of ${file} or\n        ${file}.zip, and cannot find ${file}.ZIP, period.\n`,
      exitCode: 9,
    };
  const without = options.given.filter(([name]) => name === "x").map(([, glob]) => glob);
  const chosen = entries.filter(
    ({ name }) =>
      (names.length === 0 || names.some((glob) => globMatch(glob, name))) &&
      !without.some((glob) => globMatch(glob, name)),
  );
  for (const glob of names) {
    if (entries.some(({ name }) => globMatch(glob, name))) continue;
    session.stderr += `caution: filename not matched:  ${glob}\n`;
    session.code = 11;
  }
  if (options.has("l"))
    return answer(session, head + listing(chosen, options.given.filter(([name]) => name === "q").length > 1));
  const total = chosen.reduce((sum, { size }) => sum + size, 0);
  if (total > MAX_ARCHIVE_BYTES)
    throw new ZipError(`${file} unpacks to ${total} bytes, the limit of this shell is ${MAX_ARCHIVE_BYTES}`);
  if (options.has("p")) return answer(session, await contents(session, chosen));
  if (options.has("t")) return answer(session, head + (await tested(session, chosen, file)));
  return answer(session, head + (await extracted(session, chosen)));
}

function answer({ stderr, code }: Session, stdout: string | Uint8Array): CommandOutput {
  return { stdout, stderr, exitCode: code };
}

function listing(entries: readonly ZipEntry[], isQuiet: boolean): string {
  const lines = entries.map(({ size, mtime, name }) => {
    const time = Number.isNaN(mtime.getTime())
      ? "1980-00-00 00:00"
      : mtime.toISOString().slice(0, 16).replace("T", " ");
    return `${String(size).padStart(9)}  ${time}   ${name}\n`;
  });
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const count = `${entries.length} file${entries.length === 1 ? "" : "s"}`;
  if (isQuiet) return lines.join("");
  return `  Length      Date    Time    Name\n---------  ---------- -----   ----\n${lines.join("")}---------                     -------\n${String(total).padStart(9)}                     ${count}\n`;
}

/** The content, or undefined after saying why not. */
async function contentOf(session: Session, entry: ZipEntry): Promise<Uint8Array | undefined> {
  // Lets a timer or an abort come through.
  await new Promise((resolve) => setTimeout(resolve, 0));
  session.context.signal.throwIfAborted();
  try {
    return readEntry(session.bytes, entry);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    session.stderr += `error:  ${error.message}\n`;
    session.code = 2;
    return undefined;
  }
}

async function contents(session: Session, entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const entry of entries) parts.push(new Uint8Array((await contentOf(session, entry)) ?? []));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function tested(session: Session, entries: readonly ZipEntry[], file: string): Promise<string> {
  let text = "";
  for (const entry of entries) {
    const isGood = (await contentOf(session, entry)) !== undefined;
    if (!session.options.has("q")) text += `    testing: ${entry.name.padEnd(22)}   ${isGood ? "OK" : "bad"}\n`;
  }
  return (
    text +
    (session.code === 0
      ? `No errors detected in compressed data of ${file}.\n`
      : `At least one error was detected in ${file}.\n`)
  );
}

async function extracted(session: Session, entries: readonly ZipEntry[]): Promise<string> {
  const links: [path: string, target: string][] = [];
  let text = "";
  for (const entry of entries) text += await extract(session, entry, links);
  // Made earlier, they would lead what follows elsewhere.
  for (const [path, target] of links) {
    try {
      await session.context.fs.symlink(target, path);
    } catch (error) {
      session.stderr += `error:  cannot create symlink ${path}: ${problemOf(error)}\n`;
      session.code = 2;
    }
  }
  return session.options.has("q") ? "" : text;
}

async function extract(session: Session, entry: ZipEntry, links: [string, string][]): Promise<string> {
  const { options } = session;
  const isFolder = entry.name.endsWith("/");
  if (isFolder && options.has("j")) return "";
  const name = safeName(session, entry.name);
  const folder = options.value("d");
  const inside = options.has("j") ? name.slice(name.lastIndexOf("/") + 1) : name;
  const shown = folder === undefined ? inside : `${folder.replace(/\/+$/, "")}/${inside}`;
  try {
    return await (isFolder ? makeFolder(session, shown) : makeFile(session, entry, shown, links));
  } catch (error) {
    session.context.signal.throwIfAborted();
    session.stderr += `error:  cannot create ${shown}: ${problemOf(error)}\n`;
    session.code = 2;
    return "";
  }
}

async function makeFolder({ context: { fs, resolve } }: Session, shown: string): Promise<string> {
  if ((await fs.stat(resolve(shown)).catch(() => undefined))?.isDirectory) return "";
  await fs.mkdir(resolve(shown), { recursive: true });
  return `   creating: ${shown}\n`;
}

async function makeFile(session: Session, entry: ZipEntry, shown: string, links: [string, string][]): Promise<string> {
  const { fs, resolve } = session.context;
  const path = resolve(shown);
  const isThere = (await fs.lstat(path).catch(() => undefined)) !== undefined;
  if (isThere && !mayReplace(session, shown)) return "";
  const data = await contentOf(session, entry);
  if (!data) return "";
  if (isThere) await fs.rm(path);
  await fs.mkdir(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
  if ((entry.mode & 0o170000) === LINK) {
    const target = new TextDecoder().decode(data);
    links.push([path, target]);
    return `    linking: ${shown.padEnd(22)}  -> ${target} \n`;
  }
  await fs.writeFile(path, data);
  if (entry.mode !== 0) await fs.chmod(path, entry.mode & 0o755);
  return `${entry.method === 0 ? " extracting" : "  inflating"}: ${shown.padEnd(22)}  \n`;
}

function mayReplace(session: Session, shown: string): boolean {
  const { options } = session;
  if (options.has("n")) return false;
  if (options.has("o")) return true;
  session.stderr += `replace ${shown}? Nobody is here to answer: give -o to replace it or -n to keep it.\n`;
  session.code = Math.max(session.code, 1);
  return false;
}

function safeName(session: Session, name: string): string {
  const parts = name.split("/").filter((part) => part !== "..");
  const inside = parts.join("/").replace(/^\/+/, "");
  if (parts.length < name.split("/").length) session.stderr += `warning:  skipped "../" path component(s) in ${name}\n`;
  if (name.startsWith("/")) session.stderr += `warning:  stripped absolute path spec from ${name}\n`;
  if (inside !== name) session.code = Math.max(session.code, 1);
  return inside;
}
