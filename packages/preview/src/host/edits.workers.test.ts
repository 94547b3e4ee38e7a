import type { FileSystem } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { type Files, inHost, treeOf } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const answers = (expression: string): string => `export default { fetch: () => Response.json(${expression}) };`;

describe("an edit", () => {
  /** Counts what is read. */
  const counted = (fs: FileSystem, read: string[]): FileSystem => ({
    ...fs,
    readFileBytes: (path) => {
      read.push(path);
      return fs.readFileBytes(path);
    },
  });

  test("reads what changed, and finds files that came or went", async () => {
    await inHost(async ({ previews, get }) => {
      const base: Files = {
        "wrangler.json": wrangler(),
        "src/index.ts": `import { a } from "./a"; import { b } from "./b"; ${answers("[a, b]")}`,
        "src/a.ts": `export const a = 1;`,
        "src/b/index.ts": `export const b = 1;`,
      };
      let before: Files = {};
      const show = async (files: Files): Promise<{ text: string; read: string[] }> => {
        const read: string[] = [];
        const paths = [...new Set([...Object.keys(before), ...Object.keys(files)])];
        const known = before;
        const changed = paths.filter((path) => known[path] !== files[path]).map((path) => `/${path}`);
        before = files;
        const fs = counted(treeOf(files), read);
        const preview = await previews.open({
          session: "s1",
          tree: JSON.stringify(files),
          fs,
          changedSince: async () => changed,
        });
        return { text: (await get(preview, "/")).text, read };
      };
      expect(await show(base)).toMatchObject({ text: "[1,1]" });
      const edited = { ...base, "src/a.ts": `export const a = 2;` };
      expect(await show(edited)).toEqual({ text: "[2,1]", read: ["/src/a.ts"] });
      const added = { ...edited, "src/b.ts": `export const b = "file";` };
      expect(await show(added)).toEqual({ text: '[2,"file"]', read: ["/src/b.ts"] });
      const again = { ...edited, "README.md": "so that it is another tree" };
      expect(await show(again)).toEqual({ text: "[2,1]", read: ["/src/b/index.ts"] });
      const { "src/a.ts": _, ...without } = again;
      expect((await show(without)).text).toContain(`cannot find "./a"`);
      expect(await show({ ...again, "README.md": "and one more" })).toEqual({ text: "[2,1]", read: ["/src/a.ts"] });
      const configured = { ...edited, "wrangler.json": wrangler({ main: "src/a.ts" }) };
      expect((await show(configured)).text).toContain("The app threw");
    });
  });
});

describe("an edit that no module's text is changed by", () => {
  // All are found in the same order, wherever the last import of the first one leads.
  const MODULES: Files = {
    "src/index.tsx": `import "./a/name"; import "./b/name"; import "./own/jsx-runtime"; import "./other/jsx-runtime"; import "./second";
      import { name } from "@/name"; export default { fetch: () => Response.json([name, <p />]) };`,
    "src/a/name.ts": `export const name = "a";`,
    "src/b/name.ts": `export const name = "b";`,
    "src/own/jsx-runtime.ts": `export const jsx = () => "own";`,
    "src/other/jsx-runtime.ts": `export const jsx = () => "other";`,
    "src/second.ts": `import "./index"; export default { fetch: () => new Response("second") };`,
  };
  const project = (folder: string, runtime: string, main = "src/index.tsx"): Files => ({
    ...MODULES,
    "wrangler.json": wrangler({ main }),
    "tsconfig.json": {
      compilerOptions: {
        baseUrl: ".",
        paths: { "@/*": [`./src/${folder}/*`], "#jsx/*": [`./src/${runtime}/*`] },
        jsx: "react-jsx",
        jsxImportSource: "#jsx",
      },
    },
  });

  test.each([
    { what: "where an import leads", edited: project("b", "own"), answer: '["b","own"]' },
    { what: "where JSX is from", edited: project("a", "other"), answer: '["a","other"]' },
    { what: "the main module", edited: project("a", "own", "src/second.ts"), answer: "second" },
  ])("shows $what", async ({ edited, answer }) => {
    await inHost(async ({ open, get }) => {
      expect((await get(await open(project("a", "own")), "/")).text).toBe('["a","own"]');
      expect((await get(await open(edited), "/")).text).toBe(answer);
    });
  });
});

test("what imports a file knows when that becomes another kind of module", async () => {
  await inHost(async ({ previews, get }) => {
    const show = async (lib: string): Promise<string> => {
      const files = {
        "wrangler.json": wrangler(),
        "src/index.ts": `import value, { name } from "./lib"; ${answers("[value, name]")}`,
        "src/lib.js": lib,
      };
      const changedSince = async (): Promise<string[]> => ["/src/lib.js"];
      const preview = await previews.open({ session: "s1", tree: lib, fs: treeOf(files), changedSince });
      return (await get(preview, "/")).text;
    };
    expect(await show(`module.exports = { name: 1 };`)).toBe('[{"name":1},1]');
    expect(await show(`export default 2; export const name = 3;`)).toBe("[2,3]");
    expect(await show(`exports.name = 4;`)).toBe('[{"name":4},4]');
  });
});

test("a migration that comes or is mended counts, although no module has changed", async () => {
  await inHost(async ({ open, get }) => {
    const base = {
      "wrangler.json": wrangler({ d1_databases: [{ binding: "DB", database_name: "d", database_id: "i" }] }),
      "src/index.ts": `export default {
      fetch: (request, env) => env.DB.prepare("SELECT * FROM notes").all().then(
        ({ results }) => Response.json(results),
        (error) => Response.json({ error: String(error) }),
      ),
    };`,
      "migrations/0001_a.sql": "CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES ('x');",
    };
    const shown = async (files: Record<string, string>): Promise<unknown> =>
      JSON.parse((await get(await open({ ...base, ...files }), "/")).text);
    expect(await shown({})).toEqual([{ a: "x" }]);
    const wrong = { "migrations/0002_b.sql": "ALTER TABEL notes ADD COLUMN b TEXT;" };
    expect(await shown(wrong)).toMatchObject({ error: expect.stringContaining('near "TABEL": syntax error') });
    const right = { "migrations/0002_b.sql": "ALTER TABLE notes ADD COLUMN b TEXT;" };
    expect(await shown(right)).toEqual([{ a: "x", b: null }]);
  });
});
