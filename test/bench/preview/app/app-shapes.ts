import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryFileSystem } from "@tenrec/testkit";
import { functionBody } from "../../../../packages/preview/src/deps/link/function-body.ts";
import { TransformCache } from "../../../../packages/preview/src/graph/transform-cache.ts";
import { AppBuilder } from "../../../../packages/preview/src/host/app-builder.ts";
import { bundleWorker } from "../../frame/bundle-worker.ts";
import { writeInto } from "../subjects/dev-server.ts";
import type { AppFile } from "./app-file.ts";
import { APP_DATE } from "./modular-app.ts";

/** What the Worker Loader is given for an app, without what is made for each call. */
export interface AppCode {
  readonly compatibilityDate: string;
  readonly mainModule: string;
  readonly modules: Readonly<Record<string, { readonly js: string }>>;
}

type Modules = ReadonlyMap<string, string>;

const MAIN = "src/index.ts";

/** The same app in each shape that a loader could be given it in, by what the benchmark calls it. `folder` is for files. */
export async function appShapes(files: readonly AppFile[], folder: string): Promise<ReadonlyMap<string, AppCode>> {
  const modules = await linked(files);
  return new Map([
    ["modules", codeOf(modules)],
    ["functions", codeOf(new Map([[MAIN, asFunctions(modules)]]))],
    ["one-module", codeOf(new Map([[MAIN, await bundled(files, folder)]]))],
    ["nothing", codeOf(new Map([[MAIN, "export default { fetch: () => new Response() };"]]))],
  ]);
}

function codeOf(modules: Modules): AppCode {
  const all = [...modules].map(([name, js]) => [name, { js }] as const);
  return { compatibilityDate: APP_DATE, mainModule: MAIN, modules: Object.fromEntries(all) };
}

/** As a preview has them. */
async function linked(files: readonly AppFile[]): Promise<Modules> {
  const transforms = new TransformCache();
  const builder = new AppBuilder({
    root: "/",
    dependencies: undefined,
    compiler: undefined,
    transform: (path, text, hash, how) => transforms.transform(path, text, hash, how, undefined),
  });
  const fs = memoryFileSystem(Object.fromEntries(files.map(({ path, text }) => [`/${path}`, text])));
  const build = await builder.build({ session: "s", tree: "t", fs }, AbortSignal.timeout(60_000));
  if ("problems" in build || !build.app.worker) throw new Error(`the app cannot be built: ${JSON.stringify(build)}`);
  return new Map([...build.app.worker.modules].map(([name, content]) => [name, "js" in content ? content.js : ""]));
}

/** One module of functions whose names are bound as those of modules are, as packages of npm are made into one. */
function asFunctions(modules: Modules): string {
  const index = new Map([...modules.keys()].map((name, at) => [name, at]));
  const functions = [...modules].map(([name, js]) => {
    const body = functionBody(js).replaceAll(/require\("(\.[^"]*)"\)/g, (_, from: string) => {
      const { pathname } = new URL(from, `file:///${name}`);
      return `$get(${index.get(pathname.slice(1))})`;
    });
    // In brackets it is parsed once, and not once more when it is called.
    return `(function (exports) {${body}\n})`;
  });
  return [
    "const $all = [];",
    "const $get = (at) => { if (!$all[at]) $run[at](($all[at] = {})); return $all[at]; };",
    `const $run = [${functions.join(",\n")}];`,
    `export default $get(${index.get(MAIN)}).default;`,
  ].join("\n");
}

/** As wrangler bundles it for a deployment. */
async function bundled(files: readonly AppFile[], folder: string): Promise<string> {
  // Workers of the benchmark have this class.
  const entry = { path: "src/bundled.ts", text: 'export { default } from "./index";\nexport class Subject {}\n' };
  for (const file of [...files, entry]) await writeInto(folder, file);
  const out = join(folder, "bundle");
  return readFile(join(out, await bundleWorker(join(folder, entry.path), out)), "utf8");
}
