import { parseDevVars } from "../config/dev-vars.ts";
import { fieldsOf, textsOf } from "../deps/lock/lock-fields.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import { readTsConfig, type TsConfig } from "../graph/read-tsconfig.ts";
import type { TreeView } from "../graph/tree-view.ts";

/** What a project for Vite says of its pages. */
export interface ClientSettings {
  /** The text of its `index.html`. */
  readonly html: string;
  readonly tsconfig: TsConfig;
  /** What `import.meta.env` is. */
  readonly env: Readonly<Record<string, unknown>>;
  /** The files that this was read from. */
  readonly files: readonly string[];
}

/** Of several, the later one counts: https://vite.dev/guide/env-and-mode */
const ENV_FILES = [".env", ".env.local", ".env.development", ".env.development.local"] as const;
const CONFIG = ["ts", "js", "mts", "mjs", "cts", "cjs"].map((ending) => `vite.config.${ending}`);

/** The settings of the project at `root`; undefined for one that Vite does not serve, or that has no page. */
export async function readClientSettings(
  view: TreeView,
  root: string,
  manifest: string | undefined,
): Promise<ClientSettings | undefined> {
  const { fs } = view;
  const at = (name: string): string => fs.resolvePath(root, name);
  // What is not there is not asked for again by the next build.
  const has = async (name: string): Promise<boolean> => (await view.kind(at(name))) === "file";
  const read = async (name: string): Promise<string> =>
    (await has(name)) ? ((await readTextIfAny(fs, at(name))) ?? "") : "";
  if (!(await has("index.html"))) return undefined;
  const needs = needsOf(manifest);
  if (!needs.has("vite") && !(await Promise.all(CONFIG.map(has))).includes(true)) return undefined;
  const vars = (await Promise.all(ENV_FILES.map(read))).map(parseDevVars);
  const shown = Object.entries(Object.assign({}, ...vars) as Record<string, string>);
  const own = Object.fromEntries(shown.filter(([name]) => name.startsWith("VITE_")));
  const env = { ...own, BASE_URL: "/", MODE: "development", DEV: true, PROD: false, SSR: false };
  // Vite's templates have the settings of the page in a file of their own, and a tsconfig.json that refers to it.
  const name = (await has("tsconfig.app.json")) ? "tsconfig.app.json" : "tsconfig.json";
  const tsconfig = withJsx(await readTsConfig(fs, root, name), needs);
  const files = [...["index.html", ...ENV_FILES].map(at), ...tsconfig.files];
  return { html: await read("index.html"), env, tsconfig, files };
}

/** The plug-ins for React and Preact write JSX out in the automatic way, whatever the settings say. */
function withJsx(tsconfig: TsConfig, needs: ReadonlyMap<string, string>): TsConfig {
  const { jsx } = tsconfig;
  const isPreact = needs.has("@preact/preset-vite") || (needs.has("preact") && !needs.has("react"));
  const isReact = [...needs.keys()].some((name) => name.startsWith("@vitejs/plugin-react"));
  if (!isPreact && !isReact) return tsconfig;
  return { ...tsconfig, jsx: { importSource: isPreact ? "preact" : "react", ...jsx, runtime: "automatic" } };
}

function needsOf(manifest: string | undefined): ReadonlyMap<string, string> {
  try {
    const fields = fieldsOf(JSON.parse(manifest ?? "{}"));
    return new Map([...textsOf(fields["dependencies"]), ...textsOf(fields["devDependencies"])]);
  } catch {
    // Who needs its packages says that it is no JSON.
    return new Map();
  }
}
