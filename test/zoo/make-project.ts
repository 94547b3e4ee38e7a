import { cpSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ZooApp } from "./zoo-app.ts";

const HERE = import.meta.dirname;
const INSTALLED = join(HERE, "..", "node_modules");

/** What `create-cloudflare` asks for, or finds out, when it makes a project. */
const ANSWERS: Readonly<Record<string, string>> = {
  "<WORKER_NAME>": "zoo",
  "<PACKAGE_NAME>": "zoo",
  "<COMPATIBILITY_DATE>": "2026-11-02",
};
const WITH_ANSWERS = ["wrangler.jsonc", "wrangler.json", "wrangler.toml", "package.json"];

/** Writes the files of an app to a new folder, next to which its packages are installed. */
export function makeProject(app: ZooApp, folder: string): void {
  const from =
    app.template === undefined
      ? join(HERE, "apps", app.name)
      : join(INSTALLED, "create-cloudflare", "templates", app.template);
  cpSync(from, folder, { recursive: true });
  if (app.template !== undefined) fillIn(folder);
  for (const [path, text] of Object.entries(app.generated ?? {})) writeFileSync(join(folder, path), text);
  symlinkSync(INSTALLED, join(folder, "node_modules"));
}

function fillIn(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith("__dot__")) renameSync(join(folder, name), join(folder, name.replace("__dot__", ".")));
  }
  for (const path of WITH_ANSWERS.map((name) => join(folder, name)).filter((each) => existsSync(each))) {
    const text = readFileSync(path, "utf8");
    writeFileSync(
      path,
      text.replaceAll(/<[A-Z_]+>/g, (asked) => ANSWERS[asked] ?? asked),
    );
  }
}
