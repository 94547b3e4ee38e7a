import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

/** The module that holds the modules of a folder as JavaScript. */
export function insideText(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const entries = names.toSorted().map((name) => {
    const code = stripTypeScriptTypes(readFileSync(join(folder, name), "utf8")).replaceAll(/[ \t]+$/gm, "");
    return `  [${JSON.stringify(name)}, ${JSON.stringify(code)}],\n`;
  });
  return [
    "// Written by scripts/write-preview-inside.mjs from src/inside. Do not edit.\n",
    "\n/** The modules that run in the isolate of a previewed app, by file name. */\n",
    "export const INSIDE_MODULES: ReadonlyMap<string, string> = new Map([\n",
    ...entries,
    "]);\n",
  ].join("");
}
