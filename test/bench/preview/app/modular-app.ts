import type { AppFile } from "./app-file.ts";
import { FEATURE_MODULES, featureFiles } from "./feature-files.ts";
import { SHARED_FILES } from "./shared-files.ts";

/** Known to every runtime that takes part. */
export const APP_DATE = "2026-10-01";

/** An app that is asked. */
export interface ShownApp {
  readonly files: readonly AppFile[];
  /** The path of a page, and what the answer has in the nth revision of the app. */
  readonly path: string;
  readonly mark: (revision: number) => string;
}

/** An app that is asked and edited. */
export interface ModularApp extends ShownApp {
  /** The file that an edit changes, in its nth revision. */
  edited(revision: number): AppFile;
  /** Paths whose answers are the same, whoever shows the app. */
  readonly checks: readonly string[];
}

export function configFiles(name: string, dependencies: Readonly<Record<string, string>> = {}): AppFile[] {
  const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    { path: "wrangler.jsonc", text: text({ name, main: "src/index.ts", compatibility_date: APP_DATE }) },
    { path: "package.json", text: text({ name, private: true, type: "module", dependencies }) },
    {
      path: "tsconfig.json",
      text: text({
        compilerOptions: {
          target: "es2024",
          module: "es2022",
          moduleResolution: "bundler",
          strict: true,
          jsx: "react-jsx",
        },
      }),
    },
  ];
}

/** An app in TypeScript of this many modules, all of which are evaluated when it starts. Its first page asks one feature. */
export function modularApp(modules: number): ModularApp {
  const features = Math.floor((modules - 1 - SHARED_FILES.length) / FEATURE_MODULES);
  if (1 + SHARED_FILES.length + features * FEATURE_MODULES !== modules)
    throw new Error(`no app has ${modules} modules`);
  const edited = Math.floor(features / 2);
  const own = featureFiles(edited).find(({ path }) => path.endsWith("/service.ts"));
  if (!own) throw new Error("nothing to edit");
  const mark = (revision: number): string => `round ${revision}`;
  return {
    files: [
      ...configFiles(`app-${modules}`),
      { path: "src/index.ts", text: indexText(features, edited) },
      ...SHARED_FILES,
      ...Array.from({ length: features }, (_, index) => featureFiles(index)).flat(),
    ],
    edited: (revision) => ({ path: own.path, text: own.text.replace(mark(0), mark(revision)) }),
    path: "/",
    mark: (revision) => `"revision":"${mark(revision)}"`,
    checks: [
      "/",
      "/all",
      `/feature-${edited}/summary`,
      "/feature-0/orders?limit=3&state=open",
      "/feature-1/orders/1-2",
      "/nowhere",
    ],
  };
}

function indexText(features: number, edited: number): string {
  const each = (text: (index: number) => string): string =>
    Array.from({ length: features }, (_, at) => text(at)).join("");
  return `${each((at) => `import { routes as routes${at}, summary as summary${at} } from "./features/feature-${at}/routes";\n`)}
import { createRouter, json, type Route } from "./shared/router";

const summaries = [
${each((at) => `  summary${at},\n`)}];

const home: Route = {
  method: "GET",
  path: "/",
  handle: () => json({ features: summaries.length, edited: summary${edited}() }),
};

const all: Route = {
  method: "GET",
  path: "/all",
  handle: () => json(summaries.map((summary) => summary())),
};

const router = createRouter([
  home,
  all,
${each((at) => `  ...routes${at},\n`)}]);

export default { fetch: router } satisfies ExportedHandler;
`;
}
