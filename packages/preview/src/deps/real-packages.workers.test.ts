import { describe, expect, inject, it } from "vitest";
import { memoryCache } from "./cache/memory-cache.ts";
import type { Dependencies } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { ask, egressTo } from "./with-loader.workers.ts";

const cache = memoryCache(100_000_000);

async function bring(specifiers: readonly string[], conditions: readonly string[] = []): Promise<Dependencies> {
  const bundler = createDependencyBundler({ egress: egressTo(), cache, registry: inject("npmServer") });
  const names = specifiers.map((specifier) => specifier.split("/")[0] ?? "");
  const made = await bundler.bundle({
    specifiers,
    manifest: JSON.stringify({ type: "module", dependencies: Object.fromEntries(names.map((name) => [name, "*"])) }),
    lockfile: undefined,
    target: "worker",
    conditions: ["workerd", "worker", "browser", ...conditions],
    signal: new AbortController().signal,
  });
  expect(made.problems).toEqual([]);
  return made;
}

describe("an app with real packages", () => {
  it("answers with Hono", async () => {
    const made = await bring(["hono", "hono/cors", "hono/http-exception", "hono/jsx"]);
    const source = `
      import { Hono } from "hono"; import { cors } from "hono/cors"; import { HTTPException } from "hono/http-exception";
      import { jsx } from "hono/jsx";
      const app = new Hono();
      app.use(cors());
      app.get("/hello/:name", (c) => c.json({ hello: c.req.param("name") }));
      app.get("/page", (c) => c.html(jsx("b", {}, "bold")));
      app.get("/teapot", () => { throw new HTTPException(418, { message: "short and stout" }); });
      export default app;`;
    const hello = await ask(source, made, "/hello/you");
    expect(await hello.json()).toEqual({ hello: "you" });
    expect(hello.headers.get("access-control-allow-origin")).toBe("*");
    expect(await (await ask(source, made, "/page")).text()).toBe("<b>bold</b>");
    // Which Hono itself knows by its class: there is one of it.
    const teapot = await ask(source, made, "/teapot");
    expect([teapot.status, await teapot.text()]).toEqual([418, "short and stout"]);
  });

  it("answers with itty-router", async () => {
    const source = `
      import { AutoRouter } from "itty-router";
      const router = AutoRouter();
      router.get("/x/:id", ({ id }) => ({ id }));
      export default router;`;
    expect(await (await ask(source, await bring(["itty-router"]), "/x/7")).json()).toEqual({ id: "7" });
  });

  it.each([[[]], [["production"]]])("renders React on the server %s", async (conditions) => {
    const made = await bring(["react", "react-dom/server", "react/jsx-runtime"], conditions);
    const source = `
      import { createContext, useContext, useState } from "react"; import React from "react";
      import { renderToReadableStream } from "react-dom/server"; import { jsx } from "react/jsx-runtime";
      const Name = createContext("nobody");
      const Hello = () => { const [n] = useState(3); return jsx("b", { children: [useContext(Name), " ", n, " ", React.version] }); };
      export default { async fetch() {
        return new Response(await renderToReadableStream(jsx(Name, { value: "you", children: jsx(Hello, {}) })));
      } };`;
    const text = await (await ask(source, made)).text();
    expect(text.replaceAll("<!-- -->", "")).toMatch(/^<b>you 3 19\./);
    const all = JSON.stringify([...made.modules]);
    expect(all.includes(`react-dom-server.edge.production.js\\"]: {`)).toBe(conditions.length > 0);
    expect(all.includes(`react-dom-server.edge.development.js\\"]: {`)).toBe(conditions.length === 0);
  });

  it("shares Preact between its entries", async () => {
    const source = `
      import { h } from "preact"; import { useState } from "preact/hooks"; import render from "preact-render-to-string";
      const Count = () => { const [n] = useState(4); return h("i", null, n); };
      export default { fetch: () => new Response(render(h(Count))) };`;
    const made = await bring(["preact", "preact/hooks", "preact-render-to-string"]);
    expect(await (await ask(source, made)).text()).toBe("<i>4</i>");
  });

  it("renders Vue on the server, from packages that import one another", async () => {
    const made = await bring(["vue"]);
    const source = `
      import { computed, h, reactive, ref } from "vue";
      export default { fetch() {
        const count = ref(1); const twice = computed(() => count.value * 2); count.value = 21;
        return Response.json([twice.value, h("p", "x").type, reactive({ a: 1 }).a]);
      } };`;
    expect(await (await ask(source, made)).json()).toEqual([42, "p", 1]);
    const packages = new Set(
      [...made.modules.keys()].map((name) => /^node_modules\/((?:@\w+\/)?[\w-]+)@/.exec(name)?.[1]),
    );
    expect([...packages]).toEqual(
      expect.arrayContaining(["vue", "@vue/runtime-dom", "@vue/reactivity", "@vue/shared"]),
    );
  });
});
