import { cpSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ZooApp } from "./zoo-app.ts";

const HERE = import.meta.dirname;

/** What `create-cloudflare` asks for, or finds out, when it makes a project. */
const ANSWERS: Readonly<Record<string, string>> = {
  "<WORKER_NAME>": "zoo",
  "<PACKAGE_NAME>": "zoo",
  "<COMPATIBILITY_DATE>": "2026-11-02",
};
const WITH_ANSWERS = ["wrangler.jsonc", "wrangler.json", "wrangler.toml", "package.json"];

/** Writes the files of an app to a new folder, next to which its packages are installed. */
export function makeProject(app: ZooApp, folder: string): void {
  const from = app.template === undefined ? join(HERE, "apps", app.folder ?? app.name) : templateFolder(app.template);
  cpSync(from, folder, { recursive: true });
  if (app.template !== undefined) fillIn(folder);
  symlinkSync(join(HERE, "..", "node_modules"), join(folder, "node_modules"));
}

function templateFolder(template: string): string {
  const manifest = createRequire(import.meta.url).resolve("create-cloudflare/package.json");
  return join(dirname(manifest), "templates", template);
}

function fillIn(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith("__dot__")) renameSync(join(folder, name), join(folder, name.replace("__dot__", ".")));
  }
  for (const path of WITH_ANSWERS.map((name) => join(folder, name)).filter((each) => existsSync(each))) {
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replaceAll(/<[A-Z_]+>/g, (asked) => ANSWERS[asked] ?? asked));
  }
}
