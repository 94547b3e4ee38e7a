import type { FileSystem } from "@tenrec/protocol";
import { readTextIfAny } from "../graph/read-if-any.ts";
import type { Problem } from "../problem.ts";
import { positionOf } from "../report/position.ts";
import { parseDevVars } from "./dev-vars.ts";
import { parseConfigText } from "./parse-config-text.ts";
import type { AssetsConfig, ProjectConfig } from "./project-config.ts";
import { findUnsupported } from "./unsupported.ts";
import { checkWranglerFile, type ObjectBinding, type WranglerAssets, type WranglerFile } from "./wrangler-file.ts";

/** The files that a configuration is read from, at the root of a project; of the first three, the first that is there. */
export const CONFIG_FILES: readonly string[] = ["wrangler.json", "wrangler.jsonc", "wrangler.toml", ".dev.vars"];

/** Reads the configuration of the project at `root`; undefined where there is none. Answers with problems where it is wrong. */
export async function readConfig(
  fs: FileSystem,
  root: string,
): Promise<ProjectConfig | readonly Problem[] | undefined> {
  const read = async (name: string): Promise<string | undefined> => readTextIfAny(fs, fs.resolvePath(root, name));
  for (const name of CONFIG_FILES.slice(0, 3)) {
    const text = await read(name);
    if (text !== undefined) {
      return fromText({ fs, root, path: fs.resolvePath(root, name), text, devVars: (await read(".dev.vars")) ?? "" });
    }
  }
  return undefined;
}

interface Source {
  readonly fs: FileSystem;
  readonly root: string;
  readonly path: string;
  readonly text: string;
  readonly devVars: string;
}

function fromText({ fs, root, path, text, devVars }: Source): ProjectConfig | readonly Problem[] {
  const parsed = parseConfigText(path, text);
  if ("message" in parsed) return [parsed];
  const checked = checkWranglerFile(parsed.value);
  const at = (field: readonly (string | number)[]): Partial<Problem> => {
    const offset = parsed.offsetOf(field);
    return { path, ...(offset === undefined ? {} : positionOf(text, offset)) };
  };
  if ("problems" in checked) return checked.problems.map(({ field, message }) => ({ ...at(field), message }));
  const { file } = checked;
  const problems = missing(file).map(({ field, message }) => ({ ...at(field), message }));
  if (problems.length > 0) return problems;
  return configOf(file, { fs, root, path, devVars });
}

function configOf(file: WranglerFile, { fs, root, path, devVars }: Omit<Source, "text">): ProjectConfig {
  const absolute = (relative: string): string => fs.resolvePath(root, relative);
  const { main } = file;
  const directory = file.assets?.directory;
  return {
    path,
    name: file.name ?? "worker",
    ...(main === undefined ? {} : { main: absolute(main) }),
    compatibilityDate: file.compatibility_date ?? "",
    compatibilityFlags: file.compatibility_flags ?? [],
    vars: { ...file.vars, ...parseDevVars(devVars) },
    alias: file.alias ?? {},
    // Who builds with Vite names no folder: the plug-in serves what it builds, and the files in `public`.
    ...(file.assets ? { assets: assets(file.assets, absolute(directory ?? "public")) } : {}),
    ...bindings(file, absolute),
    crons: file.triggers?.crons ?? [],
    unsupported: [...findUnsupported(file), ...foreign(file)],
  };
}

type Bindings = Pick<ProjectConfig, "durableObjects" | "kv" | "d1" | "r2" | "services">;

function bindings(file: WranglerFile, absolute: (relative: string) => string): Bindings {
  const services = (file.services ?? []).filter(({ service }) => service === file.name);
  return {
    durableObjects: own(file).map(({ name, class_name: className }) => ({ binding: name, className })),
    kv: (file.kv_namespaces ?? []).map(({ binding }) => binding),
    d1: (file.d1_databases ?? []).map(({ binding, migrations_dir }) => ({
      binding,
      migrations: absolute(migrations_dir ?? "migrations"),
    })),
    r2: (file.r2_buckets ?? []).map(({ binding }) => binding),
    services: services.map(({ binding, entrypoint }) => ({
      binding,
      ...(entrypoint === undefined ? {} : { entrypoint }),
    })),
  };
}

function missing(file: WranglerFile): { field: readonly string[]; message: string }[] {
  if (file.main === undefined && file.assets?.directory === undefined) {
    return [
      {
        field: [],
        message: "there is neither main nor assets.directory: name the Worker's entry, such as src/index.ts",
      },
    ];
  }
  if (file.main !== undefined && file.compatibility_date === undefined) {
    return [
      { field: [], message: "compatibility_date is missing: give the day the project was begun, such as 2026-01-31" },
    ];
  }
  return [];
}

function assets(file: WranglerAssets, directory: string): AssetsConfig {
  return {
    directory,
    ...(file.binding === undefined ? {} : { binding: file.binding }),
    htmlHandling: file.html_handling ?? "auto-trailing-slash",
    notFoundHandling: file.not_found_handling ?? "none",
    runWorkerFirst: file.run_worker_first ?? false,
  };
}

function isForeign(file: WranglerFile, { script_name: script }: ObjectBinding): boolean {
  return script !== undefined && script !== file.name;
}

function own(file: WranglerFile): ObjectBinding[] {
  return (file.durable_objects?.bindings ?? []).filter((binding) => !isForeign(file, binding));
}

/** Bindings to other Workers, which a preview of one project does not have. */
function foreign(file: WranglerFile): { feature: string; binding: string }[] {
  const objects = (file.durable_objects?.bindings ?? []).filter((binding) => isForeign(file, binding));
  const services = (file.services ?? []).filter(({ service }) => service !== file.name);
  return [
    ...objects.map(({ name, script_name }) => ({ feature: `durable_objects of ${script_name}`, binding: name })),
    ...services.map(({ binding, service }) => ({ feature: `services to ${service}`, binding })),
  ];
}
