/** A client app as Vite has it, with an API behind it. */
export const REACT = {
  "package.json": {
    type: "module",
    dependencies: { react: "^19", "react-dom": "^19" },
    devDependencies: { vite: "^8", "@vitejs/plugin-react": "^6" },
  },
  "vite.config.ts": "export default {};",
  "tsconfig.json": { compilerOptions: { jsx: "react-jsx" } },
  "wrangler.json": {
    name: "app",
    main: "worker/index.ts",
    compatibility_date: "2026-10-01",
    assets: { not_found_handling: "single-page-application" },
  },
  "worker/index.ts": `export default { fetch: (request: Request): Response => Response.json({ path: new URL(request.url).pathname }) };`,
  "index.html": `<!doctype html><html><head><title>Counter</title></head><body><div id="root"></div>
    <script type="module" src="/src/main.tsx"></script></body></html>`,
  "src/main.tsx": `import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import "./index.css";
createRoot(document.getElementById("root")!).render(<App />);
`,
  "src/index.css": "body { font: 1rem system-ui; margin: 2rem; }",
  "src/App.tsx": `import { useState } from "react";

interface Props { readonly start?: number }

export function App({ start = 0 }: Props) {
  const [n, set] = useState<number>(start);
  const fail = (): void => { throw new Error("clicked too often"); };
  return <main>
    <h1>First version</h1>
    <button onClick={() => (n >= 2 ? fail() : set(n + 1))}>clicked {n} times</button>
  </main>;
}
`,
} as const;
