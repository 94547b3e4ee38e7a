// Loaded before a program: takes the guard that TENREC_WITHOUT_GUARD names out of the sources while they load.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { GUARDS, withoutGuard } from "./guards.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const guard = GUARDS.find(({ name }) => name === process.env.TENREC_WITHOUT_GUARD);
if (!guard) throw new Error(`no such guard: ${process.env.TENREC_WITHOUT_GUARD}`);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.startsWith("file:")) return loaded;
    const file = relative(root, fileURLToPath(url));
    if (!guard.edits.some(([path]) => path === file)) return loaded;
    return { ...loaded, source: withoutGuard(guard, file, readFileSync(fileURLToPath(url), "utf8")) };
  },
});
