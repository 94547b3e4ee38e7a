import { describe, expect, test } from "vitest";
import { type Files, inHost, type TestHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const LIMITS = { cpuMs: 300, answerMs: 20_000, subRequests: 500 };
const config = wrangler({
  main: "src/index.js",
  durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] },
  triggers: { crons: ["* * * * *"] },
});

/** An app that does this at `/`; at `/next` it says how many requests its isolate has seen. */
function app(run: string, room = `fetch() { return new Response("room"); }`): Files {
  const source = `import { DurableObject } from "cloudflare:workers";
export class Room extends DurableObject { ${room} }
let seen = 0;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default { async fetch(request, env, ctx) {
  seen += 1;
  if (new URL(request.url).pathname === "/next") return new Response("seen " + seen);
${run}
  return new Response("ended"); } };`;
  return { "wrangler.json": config, "src/index.js": source };
}

function withApp<T>(
  files: Files,
  use: (host: TestHost, get: (path: string) => Promise<string>) => Promise<T>,
): Promise<T> {
  return inHost(
    async (host) => {
      const preview = await host.open(files);
      return use(host, async (path) => (await host.get(preview, path)).text);
    },
    { limits: LIMITS },
  );
}

const everyKey = (targets: string): string => `for (const target of [${targets}])
  for (const key of Reflect.ownKeys(target)) if (key !== "constructor") try {
    Object.defineProperty(target, key, { get() { for (;;); }, set() { for (;;); } });
  } catch {}`;

describe("an app that was stopped is gone, whatever it catches, keeps or overwrites", () => {
  test.each([
    ["a loop that catches", `while (true) try { for (;;); } catch {}`],
    ["a loop that goes on after all", `while (true) try { for (;;); } finally { continue; }`],
    ["an answer in spite of all", `try { for (;;); } catch { return new Response("I go on"); }`],
    [
      "promises that catch",
      `const f = async () => { for (;;); }; while (true) await f().catch(() => f().catch(f)).finally(f).catch(() => 0);`,
    ],
    [
      "a generator that catches",
      `function* g() { for (;;) try { yield 1; } finally { for (;;); } } for (const n of g()) break; for (;;);`,
    ],
    ["a timer that catches", `setInterval(() => { try { for (;;); } catch {} }, 1); await sleep(10_000);`],
    ["a recursion that catches", `const f = () => { try { f(); } catch { f(); } finally { f(); } }; f();`],
    ["a default of a parameter", `const f = (a = queueMicrotask(f)) => {}; f(); await sleep(10_000);`],
    [
      "a name of a parameter",
      `const p = Promise.resolve({}); p.then(function f({ [p.then(f)]: x }) {}); await sleep(10_000);`,
    ],
    ["a way to write stacks", `Error.prepareStackTrace = () => { for (;;); }; for (;;);`],
    [
      "a way to write stacks that cannot be taken away",
      `try { Object.defineProperty(Error, "prepareStackTrace", { get() { for (;;); } }); } catch {} for (;;);`,
    ],
    [
      "prototypes that were overwritten",
      `${everyKey("String.prototype, Array.prototype, Promise.prototype, Function.prototype, WeakSet.prototype, Error.prototype")} for (;;);`,
    ],
    [
      "globals that were overwritten",
      `for (const name of ["Error", "Date", "setTimeout", "Reflect", "Object", "Promise", "Response", "JSON"])
         globalThis[name] = new Proxy(function () {}, { get() { for (;;); }, apply() { for (;;); }, construct() { for (;;); } });
       for (;;);`,
    ],
    [
      "a context that was overwritten",
      `Object.getPrototypeOf(ctx).abort = () => {}; Object.getPrototypeOf(ctx).waitUntil = () => {}; ctx.abort = () => {}; for (;;);`,
    ],
    [
      "a step that was overwritten",
      `try { globalThis["tnr" + "$"] = () => {}; } catch {} try { delete globalThis["tnr" + "$"]; } catch {} for (;;);`,
    ],
    [
      "our own modules",
      `const own = (name) => import("../tenrec/inside/" + name);
       const { stepGuard } = await own("adopt-env.ts");
       const { worker } = await own("main.ts");
       const again = worker({ default: { fetch() {} } });
       for (;;) for (const one of [ctx, {}, { waitUntil() {}, abort() {} }, Object.create(ctx), new Proxy(ctx, {})]) {
         stepGuard.begin(one);
         again.fetch(request, env, one);
       }`,
    ],
  ])("%s", async (_, run) => {
    await withApp(app(run), async ({ loads, reports }, get) => {
      expect(await get("/")).toContain("EndlessLoopError: The app was stopped: it ran for more than 300 ms");
      // In an isolate of its own, which is the same app to whoever pays.
      expect(await get("/next")).toBe("seen 1");
      expect(loads).toHaveLength(1);
      expect(reports.map(({ kind }) => kind)).toEqual(["exception", "request"]);
    });
  });
});

test.each([
  ["a sort whose comparison never ends", `[1, 2, 3].sort(() => { for (;;); });`, "EndlessLoopError"],
  [
    "a long sort",
    `const a = Array.from({ length: 3_000_000 }, Math.random); a.sort(() => Math.random() - 0.5);`,
    "EndlessLoopError",
  ],
  ["a text that is too long", `"x".repeat(2 ** 29);`, "RangeError"],
  ["a thread that waits", `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`, "TypeError"],
  [
    "WebAssembly from bytes",
    `await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));`,
    "CompileError",
  ],
  ["text as code", `new Function("for (;;);")();`, "EvalError"],
])("%s within a call of the engine is an error of the app alone", async (_, run, said) => {
  await withApp(app(run), async (_host, get) => {
    expect(await get("/")).toContain(said);
    expect(await get("/next")).toMatch(/^seen \d$/);
  });
});

test("what waits in an app that was stopped is told why, as soon as it goes on", async () => {
  await withApp(
    app(`if (request.url.endsWith("?wait")) { await sleep(600); [1].map((x) => x); } else for (;;);`),
    async (_, get) => {
      const waiting = get("/?wait");
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await get("/")).toContain("EndlessLoopError");
      expect(await waiting).toContain("EndlessLoopError: The app was stopped: it ran for more than 300 ms");
      expect(await get("/next")).toBe("seen 1");
    },
  );
});

test.each([
  ["a timer", `ctx.waitUntil(sleep(20_000)); setTimeout(() => { for (;;); }, 100);`],
  ["what it waits for", `ctx.waitUntil(sleep(100).then(() => { for (;;); }));`],
  [
    "a stream",
    `return new Response(new ReadableStream({ async pull(c) { await sleep(50); c.enqueue(new Uint8Array(9)); for (;;); } }));`,
  ],
])("a loop after the answer, in %s, ends the app and is told", async (_, run) => {
  await withApp(app(run), async ({ reports }, get) => {
    await get("/").catch(() => "cut off");
    await expect
      .poll(() => reports.filter(({ kind }) => kind === "exception"), { timeout: 5000 })
      .toMatchObject([{ detail: { name: "EndlessLoopError", at: { path: "/src/index.js", line: 8 } } }]);
    expect(await get("/next")).toBe("seen 1");
  });
});

test("an object in a loop ends with its app, and keeps what it stored", async () => {
  const room = `async set() { await this.ctx.storage.put("n", 7); await this.ctx.storage.sync(); while (true) try { for (;;); } catch {} }
    get() { return this.ctx.storage.get("n"); }`;
  const run = `const room = env.ROOM.getByName("a");
    if (request.url.endsWith("?get")) return new Response("kept " + (await room.get()));
    return new Response(await room.set().catch((error) => error.message));`;
  await withApp(app(run, room), async ({ reports }, get) => {
    expect(await get("/")).toContain("The app was stopped: it ran for more than 300 ms without a pause");
    expect(await get("/?get")).toBe("kept 7");
    await expect
      .poll(() => reports, { timeout: 5000 })
      .toMatchObject([{ kind: "exception", detail: { name: "EndlessLoopError" } }, { kind: "request" }]);
  });
});

test("a schedule in a loop ends, in words that say so", async () => {
  const files = app("");
  const source = (files["src/index.js"] as string).replace(
    "default {",
    "default { scheduled() { while (true) try { for (;;); } catch {} },",
  );
  await withApp({ ...files, "src/index.js": source }, async (_, get) => {
    expect(await get("/__scheduled")).toBe(
      "The scheduled handler failed: EndlessLoopError: The app was stopped: it ran for more than 300 ms without a pause. Look for a loop or a recursion without an end.\n",
    );
    expect(await get("/next")).toBe("seen 1");
  });
});

test("a start in a loop that catches everything starts no app", async () => {
  const source = `const f = () => { for (;;); }; try { f(); } catch {} try { f(); } catch {}
    export default { fetch: () => new Response("started") };`;
  await withApp({ "wrangler.json": config, "src/index.js": `export class Room {} ${source}` }, async (_, get) => {
    expect(await get("/")).toContain("The app was stopped: its modules took too many steps to start");
  });
});

test.each([
  ["const tnr$ = () => {}; for (;;);", "the name tnr$ is taken"],
  ["export const f = (tnr$) => { for (;;); };", "the name tnr$ is taken"],
])("who would hide the step is not built: %s", async (more, said) => {
  await withApp(
    { "wrangler.json": config, "src/index.js": `${more} export default { fetch() {} };` },
    async (_, get) => {
      expect(await get("/")).toContain(`src/index.js:1:`);
      expect(await get("/")).toContain(said);
    },
  );
});
