import { readFile } from "node:fs/promises";
import type { ModelServerOptions } from "../model-server.ts";
import { modelServer } from "../model-server.ts";
import { parseScript } from "../script/parse-script.ts";
import type { Listening } from "./listen.ts";
import { listen } from "./listen.ts";

/** Runs a model server with scripts from JSON files. Throws when a file cannot be read or is not a script. */
export async function serveScripts(
  paths: readonly string[],
  options: ModelServerOptions & { readonly port?: number } = {},
): Promise<Listening> {
  const scripts = await Promise.all(paths.map(async (path) => parseScript(JSON.parse(await readFile(path, "utf8")))));
  return listen(modelServer(scripts, options), options);
}
