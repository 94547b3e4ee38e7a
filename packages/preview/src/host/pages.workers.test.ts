import { describe, expect, it } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { installedPackages } from "../with-installed.workers.ts";
import { wrangler } from "../with-wrangler.ts";

const dependencies = installedPackages();

const APP = `import { useState } from "react";
import reactLogo from "./assets/react.svg";
import viteLogo from "/vite.svg";
import { Button } from "@/components/button";
import styles from "./App.module.css";
export default function App() {
  const [n, set] = useState<number>(0);
  return <Button className={styles.big} onClick={() => set(n + 1)}><img src={reactLogo} /><img src={viteLogo} />{import.meta.env.VITE_TITLE}</Button>;
}
`;

/** As the template for React with a Worker has it. */
const REACT: Files = {
  "package.json": {
    type: "module",
    dependencies: { react: "^19", "react-dom": "^19" },
    devDependencies: { vite: "^8", "@vitejs/plugin-react": "^6" },
  },
  "vite.config.ts": "export default {};",
  "tsconfig.json": { files: [], references: [{ path: "./tsconfig.app.json" }] },
  "tsconfig.app.json": { compilerOptions: { jsx: "react-jsx", paths: { "@/*": ["./src/*"] } } },
  "wrangler.jsonc": {
    name: "app",
    main: "worker/index.ts",
    compatibility_date: "2026-10-01",
    assets: { not_found_handling: "single-page-application" },
  },
  "worker/index.ts": `export default { fetch: (request: Request) => Response.json({ path: new URL(request.url).pathname }) };`,
  "index.html": `<!doctype html><html><head><link rel="icon" href="/vite.svg" /></head><body><div id="root"></div>
    <!-- <script type="module" src="/src/old.tsx"></script> -->
    <script type="module" src="/src/main.tsx"></script></body></html>`,
  "src/main.tsx": `import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "./index.css"
import App from "./App.tsx"
createRoot(document.getElementById("root")!).render(<StrictMode><App /></StrictMode>)
`,
  "src/App.tsx": APP,
  "src/components/button.tsx": "export const Button = (props: object) => <button {...props} />;",
  "src/App.module.css": `.big { color: red; } @media (min-width: 1px) { .big:hover, a.small { margin: .5em; } }`,
  "src/index.css": `:root { background: url("./assets/react.svg"); }`,
  "src/assets/react.svg": "<svg/>",
  "public/vite.svg": "<svg id='vite'/>",
  ".env": "VITE_TITLE=Hello\nSECRET=s3cret\n",
};

const page = { headers: { accept: "text/html" } };

describe("a page of React with a Worker", () => {
  it("loads every module that it names, down to the last package", async () => {
    await inHost(
      async ({ open, get }) => {
        const preview = await open(REACT);
        const { text, headers } = await get(preview, "/", page);
        expect(headers.get("content-type")).toContain("text/html");
        expect(text).toContain(`<script type="module" src="/src/main.tsx"></script>`);
        const seen = new Set(["/src/main.tsx"]);
        for (const path of seen) {
          const module = await get(preview, path);
          expect([path, module.status, module.headers.get("content-type")]).toEqual([
            path,
            200,
            "text/javascript; charset=utf-8",
          ]);
          for (const [, name = ""] of module.text.matchAll(/(?:^|;)(?:import\b(?!\.)|export\b)[^"'=(;]*"([^"]+)"/gm)) {
            expect(name).toMatch(/^\.\.?\//);
            const url = new URL(name, `http://host${path}`);
            seen.add(url.pathname + url.search);
          }
        }
        expect([...seen].map((path) => path.replaceAll(/-[\da-f]{16}/g, "-#")).toSorted()).toEqual([
          "/@npm/.link-#.js",
          "/@npm/react-dom@19.3.1-#.js",
          "/@npm/react-dom@19.3.1/client-#.js",
          "/@npm/react@19.3.1-#.js",
          "/@npm/react@19.3.1/index-#.js",
          "/@npm/react@19.3.1/jsx-runtime-#.js",
          "/@npm/scheduler@0.28.0-#.js",
          "/src/App.module.css?import",
          "/src/App.tsx",
          "/src/assets/react.svg?import",
          "/src/components/button.tsx",
          "/src/index.css?import",
          "/src/main.tsx",
          "/vite.svg?import",
        ]);
      },
      { dependencies },
    );
  });

  it("gets its files, its styles, its variables, and no others", async () => {
    await inHost(
      async ({ open, get }) => {
        const preview = await open(REACT);
        expect((await get(preview, "/vite.svg")).text).toBe("<svg id='vite'/>");
        expect((await get(preview, "/src/assets/react.svg")).headers.get("content-type")).toBe("image/svg+xml");
        expect((await get(preview, "/src/index.css")).text).toBe(REACT["src/index.css"]);
        const { text: css } = await get(preview, "/src/App.module.css");
        expect(css).toMatch(
          /^\.big_[\da-f]{8} \{ color: red; \} @media \(min-width: 1px\) \{ \.big_\w+:hover, a\.small_\w+ \{ margin: \.5em; \} \}$/,
        );
        const { text: classes } = await get(preview, "/src/App.module.css?import");
        expect(classes).toContain(`"big":"${/big_\w+/.exec(css)?.[0]}"`);
        const { text: app } = await get(preview, "/src/App.tsx");
        expect(app).toMatch(/^import\.meta\.env = \{"VITE_TITLE":"Hello","BASE_URL":"\/","MODE":"development"/);
        expect(app).not.toContain("s3cret");
        for (const path of ["/.env", "/package.json", "/wrangler.jsonc", "/worker/index.ts", "/src/../.env"]) {
          expect((await get(preview, path)).text).toMatch(/^\{"path":/);
        }
      },
      { dependencies },
    );
  });

  it("has the paths of its router, and the Worker has the others", async () => {
    await inHost(
      async ({ open, get }) => {
        const preview = await open(REACT);
        expect((await get(preview, "/some/page", page)).text).toContain(`<div id="root">`);
        expect((await get(preview, "/api/x")).text).toBe(`{"path":"/api/x"}`);
        expect((await get(preview, "/", { method: "POST", body: "x" })).text).toBe(`{"path":"/"}`);
      },
      { dependencies },
    );
  });

  it("is what the Worker has for its assets", async () => {
    const files = {
      ...REACT,
      "wrangler.jsonc": wrangler({ main: "worker/index.ts", assets: { binding: "ASSETS", run_worker_first: true } }),
      "worker/index.ts": `export default { fetch: (request: Request, env: any) => env.ASSETS.fetch(request) };`,
    };
    await inHost(
      async ({ open, get }) => {
        expect((await get(await open(files), "/src/main.tsx")).text).toContain("createRoot");
        // The Worker stays the same, and so does its isolate.
        const edited = await open({ ...files, "src/main.tsx": `console.log("edited");` });
        expect((await get(edited, "/src/main.tsx")).text).toContain("edited");
        expect((await get(edited, "/some/page", page)).text).toContain(`<div id="root">`);
      },
      { dependencies },
    );
  });

  it("keeps what did not change over an edit, and has a source map of what did", async () => {
    await inHost(
      async ({ open, get }) => {
        const before = await get(await open(REACT), "/src/App.tsx");
        const source = APP.replace("set(n + 1)", "set(n + 2)");
        const preview = await open({ ...REACT, "src/App.tsx": source });
        const after = await get(preview, "/src/App.tsx");
        expect(after.text).toContain("set(n + 2)");
        const imports = (text: string): string[] => [...text.matchAll(/from "(.*?)"/g)].map((match) => match[1] ?? "");
        expect(imports(after.text)).toEqual(imports(before.text));
        const map = JSON.parse(atob(/base64,(.*)/.exec(after.text)?.[1] ?? "")) as {
          sources: string[];
          sourcesContent: string[];
          mappings: string;
        };
        expect([map.sources, map.sourcesContent]).toEqual([["/src/App.tsx"], [source]]);
        const etag = after.headers.get("etag") ?? "";
        expect((await get(preview, "/src/App.tsx", { headers: { "if-none-match": etag } })).status).toBe(304);
      },
      { dependencies },
    );
  });
});

const PLAIN: Files = {
  "package.json": { devDependencies: { vite: "^8" } },
  "index.html": `<script type="module" src="src/main.ts"></script><script type="module">import { x } from "./src/x"; x();</script>`,
  "src/main.ts": `import { x } from "./x"; import data, { n } from "./data.json"; import text from "./note.md?raw"; import url from "./note.md?url";
x(data, n, text, url); new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });`,
  "src/x.ts": "export const x = (...all: unknown[]): void => console.log(...all);",
  "src/worker.ts": `import { x } from "./x"; x(1 as number);`,
  "src/data.json": { n: 1 },
  "src/note.md": "# note",
};

describe("a page without a framework and without a Worker", () => {
  it("needs no configuration", async () => {
    await inHost(async ({ open, get }) => {
      const preview = await open(PLAIN);
      const { text: html } = await get(preview, "/deep/path", page);
      expect(html).toContain(`<script type="module" src="/index.html.inline-0.js"></script>`);
      expect((await get(preview, "/index.html.inline-0.js")).text).toContain(`from "./src/x.ts"; x();`);
      expect((await get(preview, "/src/note.md?raw")).text).toBe(`export default "# note";`);
      expect((await get(preview, "/src/data.json?import")).text).toContain("v0 as n");
      expect((await get(preview, "/src/worker.ts")).text).toContain("x(1 )");
      expect((await get(preview, "/missing.js")).status).toBe(404);
    });
  });

  it("has the lines of its file in errors, in what stands in it and at each path of its router", async () => {
    await inHost(async ({ open, get, previews }) => {
      const html = `<!doctype html>\n<script type="module">\nlet a;\n  fail();\n</script><script>first();\nsecond();</script>`;
      const preview = await open({ ...PLAIN, "index.html": html });
      expect((await get(preview, "/", page)).text.split("\n").slice(-2)[0]).toContain("<script>first();");
      for (const [asked, place] of [
        ["/index.html.inline-0.js:3:3", { line: 4, column: 3 }],
        ["/index.html.inline-0.js:1:2", { line: 2, column: 24 }],
        ["/:6:1", { line: 6, column: 1 }],
        ["/deep/path:6:1", { line: 6, column: 1 }],
      ] as const) {
        const { at } = await previews.locate(preview.id, `at ${asked}`);
        expect({ asked, at }).toEqual({ asked, at: { path: "/index.html", ...place } });
      }
      expect(await previews.locate(preview.id, "at /gone.js:1:1")).not.toHaveProperty("at");
    });
  });

  it.each<{ title: string; files: Files; says: RegExp }>([
    {
      title: "Vue components",
      files: { "src/main.ts": `import App from "./App.vue"; console.log(App);`, "src/App.vue": "<template/>" },
      says: /vue\/compiler-sfc, and vue is not in its package\.json/,
    },
    {
      title: "Sass",
      files: { "src/main.ts": `import "./a.scss";`, "src/a.scss": "" },
      says: /src\/a\.scss: a preview does not translate Sass/,
    },
    {
      title: "Tailwind",
      files: { "src/main.ts": `import "./a.css";`, "src/a.css": `\n@tailwind base;` },
      says: /src\/a\.css:2:1: a preview runs Tailwind 4 and no older one/,
    },
    {
      title: "import.meta.glob",
      files: { "src/main.ts": `const all = import.meta.glob("./*.ts");` },
      says: /src\/main\.ts:1:13: a preview does not have import\.meta\.glob/,
    },
    {
      title: "CommonJS",
      files: { "src/main.ts": `import "./c.cjs";`, "src/c.cjs": `module.exports = 1;` },
      says: /src\/c\.cjs: a browser takes ES modules only/,
    },
    {
      title: "a script that is not there",
      files: { "index.html": `<script type=module src=/src/none.ts></script>` },
      says: /index\.html: there is no \/src\/none\.ts/,
    },
    {
      title: "a file that is not there",
      files: { "src/main.ts": `import "./none";` },
      says: /src\/main\.ts:1:9: cannot find "\.\/none"/,
    },
    {
      title: "a package that is not declared",
      files: { "src/main.ts": `import "react";` },
      says: /react is not in its package\.json/,
    },
  ])("says by name what it cannot do: $title", async ({ files, says }) => {
    await inHost(
      async ({ open, get }) => {
        const { status, text } = await get(await open({ ...PLAIN, ...files }), "/");
        expect(status).toBe(500);
        expect(text).toMatch(says);
      },
      { dependencies },
    );
  });
});
