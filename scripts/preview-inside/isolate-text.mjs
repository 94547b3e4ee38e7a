import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

/** The module that holds the modules of two folders below `src` as JavaScript. */
export function isolateText(src) {
  return [
    "// Written by scripts/write-preview-inside.mjs from src/inside and src/storage. Do not edit.\n",
    "\n/** The modules that run in the isolate of a previewed app, by file name. */\n",
    `export const INSIDE_MODULES: ReadonlyMap<string, string> = ${mapOf(join(src, "inside"))};\n`,
    "\n/** The modules that run in an isolate of their own and keep what apps store, by file name. */\n",
    `export const STORAGE_MODULES: ReadonlyMap<string, string> = ${mapOf(join(src, "storage"))};\n`,
  ].join("");
}

function mapOf(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const entries = names.toSorted().map((name) => {
    const code = stripTypeScriptTypes(readFileSync(join(folder, name), "utf8")).replaceAll(/[ \t]+$/gm, "");
    return `  [${JSON.stringify(name)}, ${JSON.stringify(code)}],\n`;
  });
  return `new Map([\n${entries.join("")}])`;
}
