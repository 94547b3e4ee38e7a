import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** What `CHROMIUM` names, or else the first one in `PATH`; undefined when there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env["CHROMIUM"]) return env["CHROMIUM"];
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
