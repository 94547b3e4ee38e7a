import type { FileSystem } from "@tenrec/protocol";
import { parseDevVars } from "../config/dev-vars.ts";
import { fieldsOf, textsOf } from "../deps/lock/lock-fields.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import { readTsConfig, type TsConfig } from "../graph/read-tsconfig.ts";

/** What a project for Vite says of its pages. */
export interface ClientSettings {
  /** The text of its `index.html`. */
  readonly html: string;
  readonly tsconfig: TsConfig;
  /** What `import.meta.env` is. */
  readonly env: Readonly<Record<string, unknown>>;
}

/** Of several, the later one counts: https://vite.dev/guide/env-and-mode */
const ENV_FILES = [".env", ".env.local", ".env.development", ".env.development.local"] as const;
const CONFIG = ["ts", "js", "mts", "mjs", "cts", "cjs"].map((ending) => `vite.config.${ending}`);

/** The settings of the project at `root`; undefined for one that Vite does not serve, or that has no page. */
export async function readClientSettings(
  fs: FileSystem,
  root: string,
  manifest: string | undefined,
): Promise<ClientSettings | undefined> {
  const at = (name: string): string => fs.resolvePath(root, name);
  const html = await readTextIfAny(fs, at("index.html"));
  if (html === undefined) return undefined;
  const needs = needsOf(manifest);
  const isVite = needs.has("vite") || (await Promise.all(CONFIG.map((name) => fs.exists(at(name))))).includes(true);
  if (!isVite) return undefined;
  const vars = await Promise.all(
    ENV_FILES.map(async (name) => parseDevVars((await readTextIfAny(fs, at(name))) ?? "")),
  );
  const shown = Object.entries(Object.assign({}, ...vars) as Record<string, string>);
  const own = Object.fromEntries(shown.filter(([name]) => name.startsWith("VITE_")));
  const env = { ...own, BASE_URL: "/", MODE: "development", DEV: true, PROD: false, SSR: false };
  // Vite's templates have the settings of the page in a file of their own, and a tsconfig.json that refers to it.
  const name = (await fs.exists(at("tsconfig.app.json"))) ? "tsconfig.app.json" : "tsconfig.json";
  return { html, env, tsconfig: withJsx(await readTsConfig(fs, root, name), needs) };
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
