// Writes the modules of packages/preview/src/inside, which run in the isolate of a previewed app, into one file as text.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { insideText } from "./preview-inside/inside-text.mjs";

const folder = join(import.meta.dirname, "..", "packages", "preview", "src");
writeFileSync(join(folder, "load", "inside-modules.ts"), insideText(join(folder, "inside")));
