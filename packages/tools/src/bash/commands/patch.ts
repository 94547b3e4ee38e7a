import { errorJson } from "@tenrec/protocol";
import type { FilePatch } from "../../patch/file-patch.ts";
import { parsePatch } from "../../patch/parse-patch.ts";
import { patchEdges, patchStrictly, reversedPatch } from "../../patch/patch-strictly.ts";
import { patchText } from "../../patch/patch-text.ts";
import type { CommandContext, ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { readInput } from "./read-inputs.ts";

const LONG = {
  "strip=": "p",
  "input=": "i",
  "directory=": "d",
  reverse: "R",
  "dry-run": "D",
  forward: "N",
  "remove-empty-files": "E",
  silent: "s",
  quiet: "s",
  force: "f",
  batch: "t",
  "fuzz=": "F",
  backup: "b",
  verbose: "v",
  "ignore-whitespace": "l",
};

/** `patch`, on what reads unified diffs for `apply_patch`. A file is patched with all of its hunks or not at all. */
export const patch: ShellCommand = defineCommand(
  "patch",
  { short: "p:i:d:RNEsftF:bulv", long: LONG },
  async (options, shell) => {
    const folder = options.value("d");
    const context = folder === undefined ? shell : inFolder(shell, folder);
    const [target, given] = options.operands;
    const source = await readInput(options.value("i") ?? given ?? "-", shell);
    if (source.problem !== undefined)
      return { stderr: `patch: **** Can't open patch file ${source.name} : ${source.problem}\n`, exitCode: 2 };
    let files: readonly FilePatch[];
    try {
      ({ files } = parsePatch(new TextDecoder().decode(source.bytes)));
    } catch (error) {
      return { stderr: `patch: **** ${errorJson(error).message}\n`, exitCode: 2 };
    }
    let stdout = "";
    let failures = 0;
    for (const file of files) {
      const result = await patchFile(options.has("R") ? reversedPatch(file) : file, target, options, context);
      stdout += result.text;
      if (!result.isDone) failures++;
    }
    return { stdout: options.has("s") && failures === 0 ? "" : stdout, exitCode: failures > 0 ? 1 : 0 };
  },
  2,
);

function inFolder(shell: CommandContext, folder: string): CommandContext {
  const cwd = shell.resolve(folder);
  return { ...shell, cwd, resolve: (path) => shell.fs.resolvePath(cwd, path) };
}

interface Outcome {
  readonly text: string;
  readonly isDone: boolean;
}

async function patchFile(
  file: FilePatch,
  target: string | undefined,
  options: ParsedOptions,
  context: CommandContext,
): Promise<Outcome> {
  const name = target ?? (await nameOf(file, Number(options.value("p") ?? 0), context));
  const head = `${options.has("D") ? "checking" : "patching"} file ${name}\n`;
  // Two names that are both there are two versions of one file, as `diff -u old new` has them.
  const isMoved = file.to !== undefined && target === undefined && !(await context.fs.exists(context.resolve(file.to)));
  if (isMoved || file.isLink || file.kind === "copy")
    return { text: `${head}Renames, copies and links are for git here; nothing was done.\n`, isDone: false };
  try {
    if (await applyTo(file, name, options.has("D"), context)) return { text: head, isDone: true };
    const count = file.hunks.length;
    const ignored = `${count} out of ${count} hunk${count === 1 ? "" : "s"} ignored`;
    const text = `Reversed (or previously applied) patch detected!  Skipping patch.\n${ignored}\n`;
    return { text: head + text, isDone: false };
  } catch (error) {
    return { text: `${head}${errorJson(error).message}\n${file.hunks.length} hunks ignored\n`, isDone: false };
  }
}

/** False for what is there already. */
async function applyTo(file: FilePatch, name: string, isDry: boolean, context: CommandContext): Promise<boolean> {
  const path = context.resolve(name);
  const isNew = file.kind === "create" || file.kind === "set";
  const before = isNew ? "" : await readText(context, path);
  const strict = patchStrictly(before, file, patchEdges);
  // What is there already would fit again where a hunk has little context.
  if ("misfit" in strict && file.hunks.length > 0 && "text" in patchStrictly(before, reversedPatch(file), patchEdges))
    return false;
  const { text } = "text" in strict ? strict : patchText(before, file, "unified", name);
  if (isDry) return true;
  if (file.kind === "delete" && text === "") {
    await context.fs.rm(path);
    return true;
  }
  if (isNew) await context.fs.mkdir(path.slice(0, path.lastIndexOf("/")) || "/", { recursive: true });
  await context.fs.writeFile(path, text);
  if (file.mode !== undefined) await context.fs.chmod(path, file.mode);
  return true;
}

async function readText({ fs }: CommandContext, path: string): Promise<string> {
  // A byte that is no UTF-8 would not come back as it was.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await fs.readFileBuffer(path));
}

/** The parser takes `a/` and `b/` off, which most patches are made with; what is to go beyond that goes here. */
async function nameOf({ path, kind }: FilePatch, strip: number, { fs, resolve }: CommandContext): Promise<string> {
  const names = path.split("/");
  for (let count = 0; count <= Math.min(strip, names.length - 1); count++) {
    const name = names.slice(count).join("/");
    if (await fs.exists(resolve(name))) return name;
  }
  return kind === "create" || strip === 0 ? path : names.slice(Math.max(0, strip - 1)).join("/");
}
