import { describe, expect, it } from "vitest";
import { type Files, inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";
import { installedPackages } from "../with-installed.workers.ts";

const dependencies = installedPackages();

const PLAIN: Files = {
  "index.html": `<script type="module" src="src/main.ts"></script>`,
};

// A compiler is brought in and made ready when it is first asked for.
describe("a page in a language of its own", { timeout: 60_000 }, () => {
  const project = (needs: object, files: Files): Files => ({
    ...PLAIN,
    "package.json": { dependencies: needs, devDependencies: { vite: "^8" } },
    ...files,
  });

  it("has components of Vue", async () => {
    const files = project(
      { vue: "^3" },
      {
        "src/main.ts": `import { createApp } from "vue"; import App from "./App.vue"; createApp(App).mount("#app");`,
        "src/App.vue": `<script setup lang="ts">
import { ref } from "vue"; import Old from "./Old.vue";
const n = ref<number>(1);
</script>
<template><p class="big" @click="n++"><img src="./a.svg" />{{ n }}<Old /></p></template>
<style scoped>.big { color: red }</style>`,
        "src/Old.vue": `<template><b>{{ x }}</b></template><script>export default { data: () => ({ x: 7 }) };</script>`,
        "src/a.svg": "<svg/>",
      },
    );
    await inHost(
      async ({ open, get }) => {
        const preview = await open(files);
        const { text, status } = await get(preview, "/src/App.vue");
        expect([status, text]).toEqual([200, expect.stringMatching(/__component\.__scopeId = "data-v-[\da-f]{8}"/)]);
        expect(text).toMatch(/textContent: "\.big\[data-v-[\da-f]{8}\] \{ color: red/);
        expect(text).toMatch(/from "\.\.\/@npm\/vue@/);
        expect(text).toContain(`from "./Old.vue"`);
        expect(text).toMatch(/from ['"]\.\/a\.svg\?import['"]/);
        expect(text).not.toContain("<number>");
        expect((await get(preview, "/src/Old.vue")).text).toContain("__component.render = render");
        for (const [source, problem] of [
          ["<template>\n<p></template>", /src\/App\.vue:2:1: Element is missing end tag/],
          ["<template>\n<p/></template><script setup>\nlet a = ;</script>", /src\/App\.vue:3:9: .*Unexpected token/],
          ["<script>\nlet a = ;</script>", /src\/App\.vue:2:9: .*Unexpected token/],
          ["<script>export default {};</script>\n<template>\n<b v-else/></template>", /src\/App\.vue:3:1: v-else/],
          ["<script setup></script>\n<template>\n<b v-else/></template>", /src\/App\.vue:3:1: v-else/],
          ["<template><b/></template>\n<style>\nb {</style>", /src\/App\.vue:3:1: .*Unclosed block/],
        ] as const) {
          const broken = await open({ ...files, "src/App.vue": source });
          expect((await get(broken, "/")).text).toMatch(problem);
        }
      },
      { dependencies },
    );
  });

  it("has components of Svelte", async () => {
    const files = project(
      { svelte: "^5" },
      {
        "src/main.ts": `import { mount } from "svelte"; import App from "./App.svelte"; mount(App, { target: document.body });`,
        "src/App.svelte": `<script lang="ts">let n: number = $state(0);</script><p onclick={() => n++}>{n}</p><style>p { color: red }</style>`,
      },
    );
    await inHost(
      async ({ open, get }) => {
        const { text } = await get(await open(files), "/src/App.svelte");
        expect(text).toMatch(/from '\.\.\/@npm\/svelte@[\d.]+\/src-internal-client-index-[\da-f]+\.js'/);
        expect(text).toContain("color:red");
        const broken = await open({ ...files, "src/App.svelte": "<p>\n{#if}" });
        expect((await get(broken, "/")).text).toMatch(/src\/App\.svelte:2:/);
      },
      { dependencies },
    );
  });

  it("has modules of Svelte, in both languages, whose errors are told where they are written", async () => {
    const files = project(
      { svelte: "^5" },
      {
        "src/main.ts": `import { counter } from "./counter.svelte.ts"; import { list } from "./list.svelte.js"; counter(list);`,
        "src/counter.svelte.ts": `interface Count {\n  of: number;\n}\nexport function counter(list: Count[]) {\n  let n: number = $state(0);\n  return { up: () => n++, get n() { return n + list.length; } };\n}`,
        "src/list.svelte.js": "export const list = $state([]);",
      },
    );
    await inHost(
      async ({ open, get }) => {
        const app = await open(files);
        const counter = (await get(app, "/src/counter.svelte.ts")).text;
        expect(counter).toMatch(/let n = \$\.state\(0\);/);
        expect(counter).toMatch(/from '\.\.\/@npm\/svelte@[\d.]+\//);
        expect((await get(app, "/src/list.svelte.js")).text).toMatch(/list = \$\.proxy\(\[\]\)/);
        const broken = await open({
          ...files,
          "src/counter.svelte.ts": "type A = 1;\nlet n: A;\nexport const a = $state;",
        });
        expect((await get(broken, "/")).text).toMatch(/src\/counter\.svelte\.ts:3:/);
      },
      { dependencies },
    );
  });

  it.each<[language: string, file: string, source: string]>([
    [
      "Vue, with a setup script",
      "src/App.vue",
      `<template>
  <h1>A title</h1>
  <p
    class="x"
    @click="inTemplate()"
  >{{ shown.inText }}</p>
</template>

<script setup lang="ts">
import { ref } from "vue";

interface Shown { inText: string }
const shown = ref<Shown>({ inText: "" });
function inTemplate(): void {
  throw new Error("inScript");
}
</script>`,
    ],
    [
      "Vue, with options",
      "src/App.vue",
      `<script>
export default {
  data: () => ({ shown: {} }),
  methods: {
    inTemplate() {
      throw new Error("inScript");
    },
  },
};
</script>
<template>
  <h1>A title</h1>
  <p @click="inTemplate()">
    {{ shown.inText }}</p>
</template>
<style scoped>p { color: red }</style>`,
    ],
    [
      "Svelte",
      "src/App.svelte",
      `<script lang="ts">
  interface Shown { inText: string }
  let shown: Shown = $state({ inText: "" });
  function inTemplate(): void {
    throw new Error("inScript");
  }
</script>

<h1>A title</h1>
<button
  class="x"
  onclick={() => inTemplate()}
>
  {shown.inText}
</button>
<style>h1 { color: red }</style>`,
    ],
  ])("says where in the source an error of a component is: %s", async (_, file, source) => {
    const files = project(
      { vue: "^3", svelte: "^5" },
      { "src/main.ts": `import App from "./${file.slice(4)}"; console.log(App);`, [file]: source },
    );
    await inHost(
      async ({ open, get, previews }) => {
        const preview = await open(files);
        const code = (await get(preview, `/${file}`)).text.split("\n");
        for (const [word, mark] of [
          ["inScript", `Error("inScript")`],
          ["inTemplate", "inTemplate()"],
          ["inText", ".inText"],
        ] as const) {
          // Where it is called is the last place of the code that has it, and in the source the one of the template.
          const found = code.findLastIndex((line) => line.includes(mark) && !line.includes("sourceMappingURL"));
          const lines = source.split("\n");
          const line = lines.findLastIndex(
            (text) => text.includes(mark) && !text.includes("function") && !/^\s+\w+\(\) {/.test(text),
          );
          const stack = `at f (/${file}:${found + 1}:${(code[found] ?? "").indexOf(mark) + 1})`;
          const { at } = await previews.locate(preview.id, stack);
          expect({ word, at }).toEqual({
            word,
            at: { path: `/${file}`, line: line + 1, column: expect.any(Number) as number },
          });
        }
      },
      { dependencies },
    );
  });

  it("has the classes of Tailwind that are used", async () => {
    const files = project(
      { tailwindcss: "^4" },
      {
        "src/main.ts": `import "./a.css"; document.body.className = "p-4 hover:underline grid-cols-[1fr_2fr] btn";`,
        "src/a.css": `@import "tailwindcss"; @import "./b.css"; @theme { --color-brand: #123456; }`,
        "src/b.css": ".btn { @apply font-bold text-brand; }",
      },
    );
    await inHost(
      async ({ open, get }) => {
        const { text, status } = await get(await open(files), "/src/a.css");
        expect(status).toBe(200);
        for (const part of [
          ".p-4",
          ".hover\\:underline",
          "grid-template-columns: 1fr 2fr",
          "--color-brand: #123456",
          "font-weight: var(--font-weight-bold)",
        ]) {
          expect(text).toContain(part);
        }
        expect(text).not.toContain(".p-5");
        const broken = await get(await open({ ...files, "src/b.css": ".btn { @apply nothing-such; }" }), "/src/a.css");
        expect([broken.status, broken.text]).toEqual([500, expect.stringContaining("nothing-such")]);
      },
      { dependencies },
    );
  });
});

describe("what the fast transformer cannot do", { timeout: 60_000 }, () => {
  const TREE: Files = {
    "wrangler.json": wrangler({ main: "src/index.tsx" }),
    "tsconfig.json": { compilerOptions: { jsx: "react-jsx", jsxImportSource: "./own" } },
    "src/own/jsx-runtime.ts": "export const jsx = (tag: string, props: object) => [tag, props];",
  };

  it.each<[title: string, files: Files, expected: unknown]>([
    [
      "a namespace, and JSX beside it",
      {
        "src/index.tsx": `export namespace N { export const a = <p id="x" />; export namespace M { export enum E { A = 2 } } }
export default { fetch: () => Response.json([N.a, N.M.E.A]) };`,
      },
      [["p", { id: "x" }], 2],
    ],
    [
      "decorators of the standard",
      {
        "src/index.tsx": `function twice(method: any, { name, kind }: any) { return function (this: any, n: number) { return [kind, name, method.call(this, n * 2)]; }; }
class A { #by = 3; @twice times(n: number) { return n * this.#by; } }
export default { fetch: () => Response.json(new A().times(2)) };`,
      },
      ["method", "times", 12],
    ],
    [
      "decorators of older TypeScript",
      {
        "tsconfig.json": { compilerOptions: { experimentalDecorators: true } },
        "src/index.tsx": `const seen: unknown[] = [];
const note = (target: any, key?: string) => void seen.push([typeof target, key ?? target.name]);
@note class A { @note field = 1; @note method() {} static { seen.push("static"); } constructor(public x = 5) {} }
export default { fetch: () => Response.json([...seen, new A().field, new A().x]) };`,
      },
      ["static", ["object", "field"], ["object", "method"], ["function", "A"], 1, 5],
    ],
    [
      "JavaScript",
      {
        "wrangler.json": wrangler({ main: "src/index.js" }),
        "src/index.js": "const d = (c) => c;\n@d class A {}\nexport default { fetch: () => Response.json(A.name) };",
      },
      "A",
    ],
  ])("%s", async (_, files, expected) => {
    await inHost(
      async ({ open, get }) => {
        const { status, text } = await get(await open({ ...TREE, ...files }), "/");
        expect([status, text]).toEqual([200, JSON.stringify(expected)]);
      },
      { dependencies },
    );
  });

  it("is told with its place where it is wrong, and errors have theirs", async () => {
    await inHost(
      async ({ open, get }) => {
        const source = (last: string): Files => ({
          ...TREE,
          "src/index.tsx": `namespace N { export const a: number = 1 }\n\n${last}`,
        });
        expect((await get(await open(source("let = ;")), "/")).text).toMatch(/src\/index\.tsx:3:1: Unexpected/);
        const thrown = await get(await open(source(`export default { fetch() { throw new Error("boom"); } };`)), "/");
        expect(thrown.text).toMatch(/Error: boom\n    at .*src\/index\.tsx:3:/);
      },
      { dependencies },
    );
  });
});

it("a file that could not be transformed is tried again by the next build", async () => {
  let isOnline = false;
  const fallback = async (): Promise<string> => {
    if (!isOnline) throw new Error("offline");
    return `export default { fetch: () => new Response("1") };`;
  };
  await inHost(
    async ({ open, get }) => {
      const files: Files = { "wrangler.json": wrangler(), "src/index.ts": "namespace N { export const a = 1 }" };
      expect((await get(await open(files), "/")).text).toContain("src/index.ts: offline");
      isOnline = true;
      expect((await get(await open(files), "/")).text).toBe("1");
    },
    { fallback },
  );
});
