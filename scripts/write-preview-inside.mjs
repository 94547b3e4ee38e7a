// Writes the modules of packages/preview that run in isolates of their own into one file, as text: those of src/inside beside a
// previewed app, and those of src/storage behind its bindings.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isolateText } from "./preview-inside/isolate-text.mjs";

const folder = join(import.meta.dirname, "..", "packages", "preview", "src");
writeFileSync(join(folder, "load", "isolate-modules.ts"), isolateText(folder));
