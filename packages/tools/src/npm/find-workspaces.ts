import type { CommandContext } from "../bash/shell-command.ts";

/** A project that has scripts. */
export interface ScriptProject {
  /** Absolute path of the shell. */
  readonly folder: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly scripts: Readonly<Record<string, string>>;
  readonly workspaces: readonly string[];
}

/** The `package.json` of a folder, undefined when there is none. Throws a `SyntaxError` for what is no JSON. */
export async function readProject(folder: string, { fs }: CommandContext): Promise<ScriptProject | undefined> {
  const path = fs.resolvePath(folder, "package.json");
  if (!(await fs.exists(path))) return undefined;
  const manifest = JSON.parse(await fs.readFile(path)) as unknown;
  const fields: Record<string, unknown> = typeof manifest === "object" && manifest !== null ? { ...manifest } : {};
  const { name, version, scripts, workspaces } = fields;
  const globs = Array.isArray(workspaces) ? workspaces : (workspaces as { packages?: unknown } | undefined)?.packages;
  return {
    folder,
    name: typeof name === "string" ? name : undefined,
    version: typeof version === "string" ? version : undefined,
    scripts: textsOf(scripts),
    workspaces: Array.isArray(globs) ? globs.filter((glob) => typeof glob === "string") : [],
  };
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The nearest project at a folder or above it. */
export async function nearestProject(folder: string, context: CommandContext): Promise<ScriptProject | undefined> {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf("/")) || "/") {
    const found = await readProject(at, context);
    if (found || at === "/") return found;
  }
}

/** The workspaces of a project, in npm's order; undefined where a glob is more than a `*` at the end of a path. */
export async function findWorkspaces(
  { folder, workspaces }: ScriptProject,
  context: CommandContext,
): Promise<ScriptProject[] | undefined> {
  const { fs } = context;
  const folders = new Set<string>();
  for (const glob of workspaces) {
    const [, parent, star] = /^(?:\.\/)?([^*?{}[\]!]*?)\/?(\*?)$/.exec(glob) ?? [];
    if (parent === undefined) return undefined;
    const base = fs.resolvePath(folder, parent || ".");
    if (star === "") folders.add(base);
    else if (await fs.exists(base)) for (const name of await fs.readdir(base)) folders.add(`${base}/${name}`);
  }
  const found: ScriptProject[] = [];
  for (const each of [...folders].sort()) {
    const isFolder = await fs.stat(each).then(
      ({ isDirectory }) => isDirectory,
      () => false,
    );
    const project = isFolder ? await readProject(each, context) : undefined;
    if (project) found.push(project);
  }
  return found;
}
