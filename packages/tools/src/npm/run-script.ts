import { fromLatin1, latin1 } from "../bash/encoding.ts";
import type { CommandContext, CommandOutput } from "../bash/shell-command.ts";
import { findWorkspaces, nearestProject, readProject, type ScriptProject } from "./find-workspaces.ts";
import type { ScriptCall } from "./parse-run.ts";

/** As npm ends where there is no `package.json`: 254 is its -2, for `ENOENT`. */
const NO_PROJECT = 254;

/**
 * Runs a script of `package.json` in the shell, as npm does: what is printed before, scripts before and after, variables,
 * the exit code. A program that is not in the shell is missing as anywhere in it.
 */
export async function runScript(call: ScriptCall, context: CommandContext): Promise<CommandOutput> {
  const { fs, resolve, cwd } = context;
  const run = new ScriptRun(call, context);
  try {
    const from = call.prefix === undefined ? cwd : resolve(call.prefix);
    const project = call.prefix === undefined ? await nearestProject(from, context) : await readProject(from, context);
    if (!project) return noProject(fs.resolvePath(from, "package.json"));
    if (call.workspaces !== "all" && call.workspaces.length === 0) {
      await run.in(project);
      return run.output;
    }
    const all = await findWorkspaces(project, context);
    if (!all) return context.elsewhere();
    const chosen =
      call.workspaces === "all" ? all : namedOf(all, call.workspaces, (path) => fs.resolvePath(from, path));
    if (chosen.length === 0) return noWorkspaces(call.workspaces);
    for (const each of chosen) await run.inWorkspace(each);
    return run.output;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { stderr: `npm error code EJSONPARSE\nnpm error JSON.parse ${error.message}\n`, exitCode: 1 };
  }
}

/** Those with one of the names, at one of the paths, or below it. */
function namedOf(
  all: readonly ScriptProject[],
  wanted: readonly string[],
  pathOf: (path: string) => string,
): ScriptProject[] {
  return all.filter(({ name, folder }) =>
    wanted.some((each) => {
      const path = pathOf(each).replace(/\/+$/, "");
      return each === name || folder === path || folder.startsWith(`${path}/`);
    }),
  );
}

class ScriptRun {
  readonly #call: ScriptCall;
  readonly #context: CommandContext;
  #stdout = "";
  #stderr = "";
  #exitCode = 0;

  constructor(call: ScriptCall, context: CommandContext) {
    this.#call = call;
    this.#context = context;
  }

  get output(): CommandOutput {
    return { stdout: fromLatin1(this.#stdout), stderr: this.#stderr, exitCode: this.#exitCode };
  }

  async in(project: ScriptProject): Promise<void> {
    const { script, isIfPresent } = this.#call;
    if (script === undefined) return this.#print(listOf(project));
    if (this.#has(project, script)) this.#exitCode = await this.#events(project, script);
    else if (!isIfPresent) this.#fail(missing(script, project.scripts, "npm run"));
  }

  /** A failure in one does not keep the others from running. */
  async inWorkspace(project: ScriptProject): Promise<void> {
    const { script, isIfPresent } = this.#call;
    if (script === undefined) return this.#print(listOf(project));
    const { name, version, folder } = project;
    const id = version === undefined ? String(name) : `${name}@${version}`;
    const failed = `Lifecycle script \`${script}\` failed with error:`;
    if (!this.#has(project, script)) {
      if (isIfPresent) return;
      const reason = missing(script, {}, `npm run --workspace=${id}`);
      return this.#fail([failed, `workspace ${id}`, `location ${folder}`, ...reason]);
    }
    const code = await this.#events(project, script);
    if (code === 0) return;
    this.#exitCode = code;
    const command = `command sh -c ${project.scripts[script]}`;
    this.#fail(
      [failed, `code ${code}`, `path ${folder}`, `workspace ${id}`, `location ${folder}`, "command failed", command],
      code,
    );
  }

  #has({ scripts }: ScriptProject, script: string): boolean {
    return Object.hasOwn(scripts, script) || (script === "restart" && Object.hasOwn(scripts, "start"));
  }

  /** The scripts of a name, before and after it, up to the first that fails; gives its code. */
  async #events(project: ScriptProject, script: string): Promise<number> {
    const events = this.#call.ignoresHooks ? [script] : [`pre${script}`, script, `post${script}`];
    for (const event of events) {
      const restart = event === "restart" ? "npm stop --if-present && npm start" : undefined;
      const command = Object.hasOwn(project.scripts, event) ? project.scripts[event] : restart;
      if (command === undefined) continue;
      const code = await this.#run(project, event, command, event === script ? this.#call.args : []);
      if (code !== 0) return code;
    }
    return 0;
  }

  async #run(project: ScriptProject, event: string, command: string, args: readonly string[]): Promise<number> {
    const { name, version, folder } = project;
    const { exec, cwd, signal } = this.#context;
    signal.throwIfAborted();
    const id = name === undefined || version === undefined ? "" : `${name}@${version} `;
    const shown = [command.trim(), ...args].join(" ").replaceAll("\n", "\n> ");
    if (!this.#call.isSilent) this.#print(`\n> ${id}${event}\n> ${shown}\n\n`);
    const variables = {
      npm_lifecycle_event: event,
      npm_lifecycle_script: command,
      npm_package_name: name ?? "",
      npm_package_version: version ?? "",
      npm_package_json: `${folder}/package.json`,
      npm_command: "run",
      npm_execpath: "/bin/npm",
      INIT_CWD: cwd,
    };
    const settings = Object.entries(variables).map(([key, value]) => `${key}=${quote(value)}`);
    const script = `export ${settings.join(" ")}\ncd ${quote(folder)} && {\n${[command, ...args.map(quote)].join(" ")}\n}`;
    const { stdout = "", stderr = "", exitCode = 0 } = await exec(["bash", "-c", script], new Uint8Array());
    this.#stdout += latin1(typeof stdout === "string" ? new TextEncoder().encode(stdout) : stdout);
    this.#stderr += stderr;
    if (exitCode === 127) this.#stderr += notHere(stderr, event);
    return exitCode;
  }

  #print(text: string): void {
    this.#stdout += latin1(new TextEncoder().encode(text));
  }

  #fail(lines: readonly string[], code = 1): void {
    this.#stderr += `${lines.map((line) => `npm error ${line}`.trimEnd()).join("\n")}\n`;
    this.#exitCode = code;
  }
}

/** A program of the project's own packages: there is no `node_modules` whose programs could run. */
function notHere(stderr: string, event: string): string {
  const program = /^(?:bash|sh): (?:line \d+: )?(.*): command not found$/m.exec(stderr)?.[1];
  return program === undefined
    ? ""
    : `npm error the script "${event}" needs the program ${program}, which does not run in this shell. Run what it does with the tools here, or go on without it and say in your answer that it was not run.\n`;
}

function missing(script: string, scripts: Readonly<Record<string, string>>, list: string): string[] {
  const near = Object.keys(scripts)
    .filter((name) => isNear(name, script))
    .slice(0, 3);
  const hint = near.length > 0 ? ["Did you mean this?", ...near.map((name) => `  npm run ${name}`), ""] : [];
  return [`Missing script: "${script}"`, "", ...hint, "To see a list of scripts, run:", `  ${list}`];
}

function isNear(name: string, wanted: string): boolean {
  return name.startsWith(wanted) || wanted.startsWith(name) || name.includes(`:${wanted}`) || name.endsWith(wanted);
}

const LIFECYCLE: ReadonlySet<string> = new Set(
  ["publish", "install", "uninstall", "test", "stop", "start", "restart", "version"].flatMap((name) => [
    `pre${name}`,
    name,
    `post${name}`,
  ]),
);

function listOf({ name, version, scripts }: ScriptProject): string {
  const id = version === undefined ? String(name) : `${name}@${version}`;
  const entries = Object.entries(scripts);
  const shown = (some: readonly (readonly [string, string])[]): string =>
    some.map(([script, command]) => `  ${script}\n    ${command}\n`).join("");
  const own = entries.filter(([script]) => LIFECYCLE.has(script));
  const others = entries.filter(([script]) => !LIFECYCLE.has(script));
  if (own.length === 0)
    return others.length === 0 ? "" : `Scripts available in ${id} via \`npm run\`:\n${shown(others)}`;
  const more = others.length === 0 ? "" : `available via \`npm run\`:\n${shown(others)}`;
  return `Lifecycle scripts included in ${id}:\n${shown(own)}${more}`;
}

function noProject(path: string): CommandOutput {
  const reason = `Could not read package.json: there is none at ${path}, nor above`;
  return {
    stderr: `npm error code ENOENT\nnpm error path ${path}\nnpm error enoent ${reason}\n`,
    exitCode: NO_PROJECT,
  };
}

function noWorkspaces(wanted: "all" | readonly string[]): CommandOutput {
  const names = wanted === "all" ? ["  --workspaces"] : wanted.map((name) => `  --workspace=${name}`);
  return { stderr: ["No workspaces found:", ...names].map((line) => `npm error ${line}\n`).join(""), exitCode: 1 };
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
