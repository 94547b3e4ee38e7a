import { describe, expect, test } from "vitest";
import { bundlerOf } from "../deps/with-bundler.ts";
import { fakeRegistry } from "../deps/with-registry.ts";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const LIMITS = { cpuMs: 300, answerMs: 20_000, subRequests: 500 };
const config = wrangler({ durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] } });

/** The status and text of an app whose `fetch` does this, what was reported, and whether it answers another request after it. */
async function shown(
  run: string,
  more = "",
  limits = LIMITS,
): Promise<{ status: number; text: string; reports: unknown[]; next: string }> {
  const source = `import { DurableObject } from "cloudflare:workers";
${more.includes("class Room") ? "" : "export class Room extends DurableObject {}"}
${more}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default { async fetch(request, env, ctx) {
  if (new URL(request.url).pathname === "/next") return new Response("next");
${run}
  return new Response("ended"); } };`;
  return inHost(
    async ({ open, get, reports }) => {
      const preview = await open({ "wrangler.json": config, "src/index.ts": source });
      const { status, text } = await get(preview, "/");
      return { status, text, reports, next: (await get(preview, "/next")).text };
    },
    { limits },
  );
}

describe("what does not end is ended, and the app answers again", () => {
  test.each([
    ["a loop", `while (true) {}`],
    ["a loop of one statement", `for (;;);`],
    ["a loop that catches all", `while (true) try { for (;;) {} } catch {}`],
    ["a loop that only waits for what is there", `while (true) await null;`],
    ["a promise that asks for itself", `const f = () => Promise.resolve().then(f, f); await f();`],
    ["a recursion that branches", `const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); f(100);`],
    ["a generator", `function* g() { let n = 0; while (true) yield n++; } for (const n of g()) ;`],
    ["a generator that is waited for", `async function* g() { for (;;) yield 1; } for await (const n of g()) ;`],
    ["a microtask that makes another one", `await new Promise(() => { const f = () => queueMicrotask(f); f(); });`],
    [
      "a callback of an array that grows",
      `const all = [1]; all.forEach(function f(x) { [x].forEach(f); [x].forEach(f); });`,
    ],
    [
      "an iterator that the engine asks",
      `new Set({ [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) });`,
    ],
    ["a callback of an array without an end", `[].find.call({ length: 2 ** 53 - 1 }, () => false);`],
    [
      "getters that branch",
      `const o = { get a0() { return 1; } };
       const at = (n) => ({ get() { return o["a" + (n - 1)] + o["a" + (n - 1)]; } });
       for (let n = 1; n < 90; n++) Object.defineProperty(o, "a" + n, at(n));
       o.a89;`,
    ],
    [
      "fields that branch",
      `let C = class {};
       for (let n = 0; n < 90; n++) { const B = C; C = class { #a = (new B(), new B(), 1); }; }
       new C();`,
    ],
    ["a getter", `const o = { get x() { for (;;) ; } }; JSON.stringify(o);`],
    ["a loop in what is thrown", `throw Object.defineProperty(new Error(), "stack", { get() { for (;;); } });`],
  ])("%s", async (_, run) => {
    const { status, next } = await shown(run);
    expect({ isServed: status < 600, next }).toEqual({ isServed: true, next: "next" });
  });

  test("a loop says where it is, in the columns of the source", async () => {
    const { status, text, reports } = await shown(`  const f = () => 1; for (;;) { f; }`);
    expect(status).toBe(500);
    expect(text).toContain("EndlessLoopError: The app was stopped: it ran for more than 300 ms without a pause.");
    expect(text).toContain(`src/index.ts:7:32`);
    expect(reports).toMatchObject([
      { kind: "exception", detail: { name: "EndlessLoopError", at: { path: "/src/index.ts", line: 7 } } },
      { kind: "request", detail: { status: 500 } },
    ]);
  });
});

test("a loop in a file that is not strict ends as well", async () => {
  const files = {
    "wrangler.json": wrangler(),
    "src/old.cjs": `exports.run = () => { with ({}) while (true) n = 010; }; var n;`,
    "src/index.ts": `import { run } from "./old.cjs"; export default { fetch: () => new Response(run()) };`,
  };
  await inHost(
    async ({ open, get }) => {
      const { text } = await get(await open(files), "/");
      expect(text).toContain("EndlessLoopError");
      expect(text).toContain("src/old.cjs:1:");
    },
    { limits: LIMITS },
  );
});

test("a module has its own globalThis", async () => {
  const source = `const find = () => self(); const self = () => ({ a: "own" }); const globalThis = find();
    export default { fetch: () => new Response(globalThis.a) };`;
  await inHost(async ({ open, get }) => {
    const { text } = await get(await open({ "wrangler.json": wrangler(), "src/index.ts": source }), "/");
    expect(text).toBe("own");
  });
});

test("a loop in a package ends as well", async () => {
  const manifest = { name: "p", version: "1.0.0" };
  const registry = await fakeRegistry([{ manifest, files: { "index.js": "exports.run = () => { while (true); };" } }]);
  const files = {
    "wrangler.json": wrangler(),
    "package.json": { dependencies: { p: "1" } },
    "src/index.ts": `import { run } from "p"; export default { fetch: () => new Response(run()) };`,
  };
  await inHost(
    async ({ open, get }) => {
      const { text } = await get(await open(files), "/");
      expect(text).toContain("EndlessLoopError");
      expect(text).toContain("node_modules/p/index.js:1:");
    },
    { limits: LIMITS, dependencies: bundlerOf(registry) },
  );
});

test("a function that is sent to a browser as text runs there", async () => {
  const source = `const greet = (name) => { for (const part of [name]) return String(part); };
    export default { fetch: () => new Response(String(greet)) };`;
  await inHost(async ({ open, get }) => {
    const files = { "wrangler.json": wrangler({ main: "src/index.js" }), "src/index.js": source };
    const { text } = await get(await open(files), "/");
    const isKnown = "tnr$" in globalThis;
    expect([isKnown, text]).toEqual([false, expect.stringContaining("tnr$()")]);
  });
});

describe("what takes long without an end of its own", () => {
  test("an answer that never begins is given up, in words that say so", async () => {
    const { status, text, reports, next } = await shown(`setInterval(() => {}, 50); await new Promise(() => {});`, "", {
      ...LIMITS,
      answerMs: 2000,
    });
    expect({ status, next }).toEqual({ status: 504, next: "next" });
    expect(text).toBe(
      "The app did not answer\n\nTimeout: The app began no answer within 2000 ms, so its request was ended. Look for an await that nothing ends.\n\n",
    );
    expect(reports).toMatchObject([
      { kind: "exception", detail: { name: "Timeout" } },
      { kind: "request", detail: { status: 504 } },
    ]);
  });

  test.each([
    ["a loop that lets others run", `for (let i = 0; i < 30; i++) await sleep(20);`],
    [
      "work in many pieces",
      `for (let i = 0; i < 6; i++) { const t = Date.now(); while (Date.now() - t < 100); await sleep(0); }`,
    ],
  ])("%s is let be", async (_, run) => {
    expect(await shown(run)).toMatchObject({ status: 200, text: "ended", reports: [] });
  });

  test("a loop outside of a request keeps the app from starting, and says so", async () => {
    const { status, text } = await shown("", "for (let i = 0; ; i++) ;");
    expect(status).toBe(500);
    expect(text).toContain("EndlessLoopError: The app was stopped: its modules took too many steps to start.");
  });

  test("a loop in the constructor of an object ends with the call that made it", async () => {
    const run = `try { await env.ROOM.getByName("a").fetch(request); } catch (error) { return new Response(error.message); }`;
    const more = `export class Room extends DurableObject { constructor(ctx, env) { super(ctx, env); for (;;); } fetch() {} }`;
    const { text, next } = await shown(run, more);
    expect(text).toContain("it ran for more than 300 ms without a pause");
    expect(next).toBe("next");
  });

  test.each([
    ["loops", "for (;;) ;"],
    ["waits", "await new Promise((resolve) => setTimeout(resolve, 60_000));"],
  ])("an alarm that %s keeps nobody waiting, and is tried again", async (_, alarm) => {
    const source = `import { DurableObject } from "cloudflare:workers";
      export class Room extends DurableObject {
        async alarm() { ${alarm} }
        set(time) { return this.ctx.storage.setAlarm(time); }
        when() { return this.ctx.storage.getAlarm(); }
      }
      export default { async fetch(request, env) {
        const room = env.ROOM.getByName("a");
        if (request.method === "POST") await room.set(1000);
        return Response.json(await room.when());
      } };`;
    const options = { limits: { ...LIMITS, answerMs: 500 }, now: () => 5000 };
    await inHost(async ({ previews, open, get }) => {
      const preview = await open({ "wrangler.json": config, "src/index.ts": source });
      expect((await get(preview, "/", { method: "POST" })).text).toBe("1000");
      await previews.runAlarms();
      expect((await get(preview, "/")).text).toBe("7000");
    }, options);
  });

  test("an answer without an end ends with the one who reads it", async () => {
    const source = `export class Room {}
      const sleep = () => new Promise((resolve) => setTimeout(resolve, 1));
      const endless = () => new ReadableStream({
        async pull(controller) { await sleep(); controller.enqueue(new Uint8Array(65_536)); } });
      export default { fetch: ({ url }) => new Response(url.endsWith("/next") ? "next" : endless()) };`;
    await inHost(async ({ previews, open, get }) => {
      const preview = await open({ "wrangler.json": config, "src/index.ts": source });
      const { body } = await previews.fetch(preview.id, new Request(preview.url));
      const reader = body?.getReader();
      for (let i = 0; i < 5; i += 1) expect((await reader?.read())?.done).toBe(false);
      await reader?.cancel();
      expect((await get(preview, "/next")).text).toBe("next");
    });
  });
});

describe("anything can be thrown", () => {
  test.each([
    ["a text", `throw "text"`, "Error: thrown: text"],
    ["nothing", `throw undefined`, "Error: thrown: undefined"],
    ["an object", `throw { code: 1 }`, 'Error: thrown: {"code":1}'],
    [
      "an object without a prototype that cannot be written",
      `const o = Object.create(null); o.o = o; throw o`,
      "Error: thrown: [object Object]",
    ],
    ["a rejection with a number", `await Promise.reject(7)`, "Error: thrown: 7"],
    [
      "a getter that throws",
      `throw Object.defineProperty(new Error("x"), "message", { get() { throw 1; } })`,
      "Error: thrown: a value that cannot be shown",
    ],
    [
      "a proxy that throws",
      `throw new Proxy({}, { getPrototypeOf() { throw 1; } })`,
      "Error: thrown: a value that cannot be shown",
    ],
    [
      "fields that are no texts",
      `throw Object.assign(new Error("x"), { name: { toString: () => "N" }, message: 5, stack: [] })`,
      "N: 5",
    ],
    ["an answer that is none", `return 5`, "TypeError: "],
    [
      "an answer that claims to be an exception",
      `return new Response("no", { headers: { "tenrec-preview-exception": "1" } })`,
      "Error: It said nothing that can be read.",
    ],
  ])("%s", async (_, run, said) => {
    const { status, text, next } = await shown(`${run};`);
    expect({ status, next }).toEqual({ status: 500, next: "next" });
    expect(text).toContain(said);
  });

  test("a claimed exception without an end is read no further than needed", async () => {
    const stream = `new ReadableStream({ pull(c) { c.enqueue(new Uint8Array(65_536)); } })`;
    const run = `return new Response(${stream}, { headers: { "tenrec-preview-exception": "1" } });`;
    expect(await shown(run)).toMatchObject({ status: 500, next: "next" });
  });
});
