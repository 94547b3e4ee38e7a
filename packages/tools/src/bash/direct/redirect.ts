import { isDevice } from "../devices.ts";
import { problemOf } from "../problem-of.ts";
import { compileWords, compileText, type Words } from "./compile-word.ts";
import { checkErrors } from "./errexit.ts";
import { hereDocument } from "./here-document.ts";
import { Input } from "./input.ts";
import type { Redirection } from "./nodes.ts";
import { refuse, type Scope } from "./scope.ts";
import type { Code, Run, Shell } from "./shell-state.ts";
import { FileSink, flushAll, NOWHERE, type Sink } from "./sinks.ts";

/** Changes a stream of the shell, and returns the file that it opened; or the problem, as it is told. */
type Redirect = (shell: Shell, isLate: boolean) => Promise<FileSink | string | undefined>;

/**
 * Runs something with its streams redirected; 1 when that fails. With `isLate`, what runs does nothing but to print: then a
 * file is made when all of it is written.
 */
export type Redirected = (shell: Shell, isLate: boolean, code: Code) => Promise<number>;

export function compileRedirections(redirections: readonly Redirection[], scope: Scope): Redirected {
  if (redirections.length === 0) return (shell, _isLate, code) => code(shell);
  const all = redirections.map((each) => compileRedirection(each, scope));
  return async (shell, isLate, code) => {
    const { stdin, stdout, stderr } = shell;
    const files: FileSink[] = [];
    let isDone = false;
    try {
      for (const redirect of all) {
        const file = await redirect(shell, isLate);
        if (typeof file === "string") {
          shell.stderr.write(`bash: ${file}\n`);
          shell.status = 1;
          // A loop that is not run does not end the shell by itself.
          checkErrors(shell);
          return 1;
        }
        if (file) files.push(file);
      }
      const status = await code(shell);
      isDone = true;
      return (await closeAll(files, stderr)) ? status : 1;
    } finally {
      Object.assign(shell, { stdin, stdout, stderr });
      if (!isDone) await closeAll(files, stderr);
    }
  };
}

/** Whether all could be written. */
async function closeAll(files: readonly FileSink[], stderr: Sink): Promise<boolean> {
  let isWritten = true;
  for (const file of files) {
    await file.flush();
    if (file.problem !== undefined) stderr.write(`bash: ${file.name}: ${writeProblem(file.problem)}\n`);
    isWritten &&= file.problem === undefined;
  }
  return isWritten;
}

function compileRedirection(redirection: Redirection, scope: Scope): Redirect {
  const { operator, fd, fdVariable, target } = redirection;
  if (fdVariable !== undefined) refuse("a descriptor in a variable");
  if (target.type === "HereDoc") {
    if ((fd ?? 0) !== 0 || target.terminated === false) refuse("a here-document");
    return hereDocument(target, scope);
  }
  switch (operator) {
    case "<<<": {
      if ((fd ?? 0) !== 0) refuse("a descriptor");
      const text = compileText(target, scope);
      return async (shell) => {
        shell.stdin = new Input([`${await text(shell)}\n`]);
        return undefined;
      };
    }
    case "<":
      if ((fd ?? 0) !== 0) refuse("a descriptor");
      return readFrom(compileWords([target], scope));
    case ">":
    case ">|":
    case ">>":
      return writeTo(outputsOf(fd), compileWords([target], scope), operator === ">>");
    case "&>":
    case "&>>":
      if (fd !== null) refuse("a descriptor");
      return writeTo(["stdout", "stderr"], compileWords([target], scope), operator === "&>>");
    case ">&":
      return copy(redirection);
    default:
      return refuse(operator);
  }
}

type Output = "stdout" | "stderr";

function outputsOf(fd: number | null): readonly Output[] {
  if (fd === null || fd === 1) return ["stdout"];
  return fd === 2 ? ["stderr"] : refuse("a descriptor");
}

function copy({ fd, target }: Redirection): Redirect {
  const [part] = target.type === "Word" ? target.parts : [];
  const source = part?.type === "Literal" ? part.value : "";
  if (!/^[12]$/.test(source)) refuse("a copy of a descriptor");
  const from = source === "1" ? "stdout" : "stderr";
  const [to = from] = outputsOf(fd);
  return async (shell) => {
    shell[to] = shell[from];
    return undefined;
  };
}

/** The name of a file, which has to be one. */
async function nameOf(words: Words, shell: Shell): Promise<{ readonly name: string } | { readonly problem: string }> {
  const [name, ...more] = await words(shell);
  return name === undefined || more.length > 0 ? { problem: "ambiguous redirect" } : { name };
}

function readFrom(words: Words): Redirect {
  return async (shell) => {
    const target = await nameOf(words, shell);
    if ("problem" in target) return target.problem;
    const { name } = target;
    if (name === "/dev/stdin") return undefined;
    try {
      if (name === "") throw Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" });
      await flushAll(shell.run);
      const path = shell.run.fs.resolvePath(shell.cwd, name);
      shell.stdin = new Input([await shell.run.fs.readFileBuffer(path)], path);
      return undefined;
    } catch (error) {
      return `${name}: ${problemOf(error)}`;
    }
  };
}

function writeTo(outputs: readonly Output[], words: Words, appends: boolean): Redirect {
  return async (shell, isLate) => {
    const target = await nameOf(words, shell);
    if ("problem" in target) return target.problem;
    const { name } = target;
    const special = specialSink(name, shell);
    const file = special ? undefined : fileOf(name, appends, shell);
    try {
      if (name === "") throw Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" });
      // It may be the same file.
      if (file) await flushAll(shell.run);
      if (!isLate || outputs[0] !== "stdout") await file?.open();
    } catch (error) {
      return `${name}: ${writeProblem(problemOf(error))}`;
    }
    // What is emptied before it is read has nothing to read.
    if (file && !appends && file.path === shell.stdin.path) shell.stdin = new Input([]);
    const sink = special ?? file ?? NOWHERE;
    for (const output of outputs) shell[output] = sink;
    return file;
  };
}

/** Commands are read by all and written by nobody, as where they are installed. */
function writeProblem(problem: string): string {
  return problem === "Read-only file system" ? "Permission denied" : problem;
}

function fileOf(name: string, appends: boolean, { run, cwd }: { readonly run: Run; readonly cwd: string }): FileSink {
  return new FileSink(name, run.fs.resolvePath(cwd, name), appends, run);
}

function specialSink(name: string, { stdout, stderr }: Shell): Sink | undefined {
  if (name === "/dev/stdout" || name === "/dev/fd/1") return stdout;
  if (name === "/dev/stderr" || name === "/dev/fd/2") return stderr;
  return isDevice(name) ? NOWHERE : undefined;
}
