import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { capture } from "./capture.mjs";
import { isGoodNode, isGoodPnpm } from "./versions.mjs";

/** The Node that runs this, where it is good enough: its folder, and whether `node` on the PATH is the same. */
export function findNode(env) {
  if (!isGoodNode(process.versions.node)) return undefined;
  const file = which("node", env.PATH ?? "");
  const isOnPath = file !== undefined && realpathSync(file) === realpathSync(process.execPath);
  return { folder: dirname(process.execPath), isOnPath };
}

/** Whether the PATH has a pnpm of the right major version. */
export async function hasPnpm(root, env) {
  const file = which("pnpm", env.PATH ?? "");
  // Corepack's shim answers with whatever it would download, or asks a question: it is never used.
  if (!file || realpathSync(file).includes("corepack")) return false;
  const { code, output } = await capture(file, ["--version"], { cwd: root, env });
  return code === 0 && isGoodPnpm(output);
}

function which(name, path) {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}
