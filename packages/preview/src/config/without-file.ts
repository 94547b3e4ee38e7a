import type { Problem } from "../problem.ts";
import type { ProjectConfig } from "./project-config.ts";

/** The configuration of a project that has pages alone, and so needs no file for it. */
export const PAGES_ONLY: ProjectConfig = {
  name: "pages",
  compatibilityDate: "",
  compatibilityFlags: [],
  vars: {},
  alias: {},
  durableObjects: [],
  kv: [],
  d1: [],
  r2: [],
  services: [],
  crons: [],
  unsupported: [],
};

/** That of a folder with an `index.html` that is served as it is. */
export function plainPages(root: string): ProjectConfig {
  const assets = {
    directory: root,
    isWholeProject: true,
    htmlHandling: "auto-trailing-slash",
    notFoundHandling: "404-page",
    runWorkerFirst: false,
  } as const;
  return { ...PAGES_ONLY, assets };
}

/** What to say of a project that has nothing that could be shown. */
export function nothingToShow(root: string): Problem {
  return {
    message: [
      `No wrangler.jsonc, wrangler.json or wrangler.toml in ${root}, and no index.html.`,
      "For pages, add an index.html: it is shown as it is, and with vite in package.json, its modules are transformed.",
      'For a Worker, add a wrangler.jsonc such as { "name": "app", "main": "src/index.ts", "compatibility_date": "2026-01-31" }.',
    ].join(" "),
  };
}
