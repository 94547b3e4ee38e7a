import { describe, expect, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

/** An app whose `run` does something with its environment, and answers with JSON. */
const app = (run: string, more = ""): string => `
  import { env as ambient, DurableObject } from "cloudflare:workers";
  ${more}
  export default {
    async fetch(request, env, ctx) {
      const run = async () => { ${run} };
      try { return Response.json((await run()) ?? null); } catch (error) { return Response.json({ error: String(error) }); }
    },
  };`;

async function answer(config: object, run: string, more = "", files: Record<string, string> = {}): Promise<unknown> {
  return inHost(async ({ open, get }) => {
    const preview = await open({ "wrangler.json": wrangler(config), "src/index.ts": app(run, more), ...files });
    return JSON.parse((await get(preview, "/some/path?q=1")).text) as unknown;
  });
}

describe("environment", () => {
  test("variables, those of .dev.vars first, as argument and from cloudflare:workers", async () => {
    const vars = { A: "of the file", N: 1, O: { a: [true] } };
    const run = "return [env, ambient].map((each) => ({ ...each }))";
    const secret = { A: "secret", N: 1, O: { a: [true] } };
    expect(await answer({ vars }, run, "", { ".dev.vars": "A=secret\n" })).toMatchObject([secret, secret]);
  });

  test("an app sees nothing of its host", async () => {
    const run = "return [Object.keys(env), Object.keys(ambient), process.env]";
    expect(await answer({}, run)).toEqual([[], [], {}]);
  });

  test("modules see their bindings while they are evaluated", async () => {
    const more = `const early = ambient.KV && typeof ambient.KV.get + ambient.A;`;
    const config = { vars: { A: "a" }, kv_namespaces: [{ binding: "KV" }] };
    expect(await answer(config, "return early", more)).toBe("functiona");
  });

  test("the network is closed", async () => {
    expect(await answer({}, `return (await fetch("http://example.com/")).status`)).toMatchObject({
      error: expect.stringContaining("not permitted"),
    });
  });

  test("the Worker is bound to itself", async () => {
    const more = `import { WorkerEntrypoint } from "cloudflare:workers";
      export class Other extends WorkerEntrypoint { hello(name) { return "hello " + name; } get size() { return 3; } }`;
    const config = {
      services: [
        { binding: "SELF", service: "app", entrypoint: "Other" },
        { binding: "FOREIGN", service: "elsewhere" },
      ],
    };
    const run = `return [await env.SELF.hello("you"), await env.SELF.size, await Promise.resolve().then(() => env.FOREIGN.fetch("http://x/")).catch(String)]`;
    expect(await answer(config, run, more)).toEqual([
      "hello you",
      3,
      "Error: env.FOREIGN (services to elsewhere) is not supported in a preview. Deploy the Worker to use it.",
    ]);
  });

  test.each([
    ["queues", { queues: { producers: [{ binding: "X", queue: "q" }] } }],
    ["ai", { ai: { binding: "X" } }],
    ["send_email", { send_email: [{ name: "X" }] }],
    ["workflows", { workflows: [{ binding: "X", name: "w", class_name: "W" }] }],
  ])("a binding of %s throws its name", async (feature, config) => {
    const error = `Error: env.X (${feature}) is not supported in a preview. Deploy the Worker to use it.`;
    expect(await answer(config, "return env.X.send(1)")).toEqual({ error });
  });
});

const COUNTER = `export class Counter extends DurableObject {
  async add(by) { const n = ((await this.ctx.storage.get("n")) ?? 0) + by; await this.ctx.storage.put("n", n); return n; }
  sql() { return this.ctx.storage.sql.exec("SELECT 1 + 1 AS two").toArray(); }
  who() { return [this.ctx.id.name, this.ctx.id.toString(), Object.keys(this.env)]; }
  async later(ms) { await this.ctx.storage.setAlarm(Date.now() + ms); return this.ctx.storage.getAlarm(); }
  async alarm(info) { await this.ctx.storage.put("rang", [await this.ctx.storage.getAlarm(), info.retryCount]); }
  rang() { return this.ctx.storage.get("rang"); }
  async fetch(request) {
    if (request.headers.get("upgrade")) {
      const [client, server] = Object.values(new WebSocketPair());
      this.ctx.acceptWebSocket(server);
      return new Response(null, { status: 101, webSocket: client });
    }
    return Response.json([request.method, request.url, await request.text(), [...request.headers.keys()]]);
  }
  webSocketMessage(socket, message) { socket.send("echo " + message); }
}`;
const COUNTERS = {
  durable_objects: { bindings: [{ name: "COUNTER", class_name: "Counter" }] },
  migrations: [{ tag: "v1", new_sqlite_classes: ["Counter"] }],
};

describe("Durable Objects", () => {
  test("methods, storage, SQL and requests", async () => {
    const run = `
      const id = env.COUNTER.idFromName("a");
      const a = env.COUNTER.get(id), b = env.COUNTER.getByName("b");
      await a.add(1); await b.add(10);
      const [name, hex, keys] = await a.who();
      return {
        counts: [await a.add(1), await b.add(1)], sql: await a.sql(), name, keys,
        same: hex === id.toString() && id.equals(env.COUNTER.idFromString(hex)) && /^[0-9a-f]{64}$/.test(hex),
        request: await (await a.fetch("http://object/path?q", { method: "POST", body: "body" })).json(),
      };`;
    expect(await answer(COUNTERS, run, COUNTER)).toEqual({
      counts: [2, 11],
      sql: [{ two: 2 }],
      name: "a",
      keys: ["COUNTER"],
      same: true,
      request: ["POST", "http://object/path?q", "body", ["content-length", "content-type"]],
    });
  });

  test("what is no method can be awaited, and what is in it reached at once", async () => {
    const more = `import { RpcTarget } from "cloudflare:workers";
      class Inner extends RpcTarget { twice(n) { return n * 2; } get size() { return 5; } }
      export class Counter extends DurableObject {
        get size() { return 4; } get inner() { return new Inner(); } make() { return new Inner(); } }`;
    const run = `const stub = env.COUNTER.getByName("a");
      return [await stub.size, await stub.inner.twice(4), await stub.inner.size, await stub.make().twice(8), typeof stub.size,
        await stub.nothing().catch((error) => error.message), await stub.tenrecPreviewAlarm.catch((error) => error.message)];`;
    expect(await answer(COUNTERS, run, more)).toEqual([
      4,
      8,
      5,
      16,
      "function",
      expect.stringContaining('does not implement the method "nothing"'),
      expect.stringContaining("has no tenrecPreviewAlarm"),
    ]);
  });

  test("a class that is missing is named", async () => {
    const error = expect.stringContaining("does not export the class Counter");
    expect(await answer(COUNTERS, `return env.COUNTER.getByName("a").add(1)`)).toEqual({ error });
  });

  test("what is stored outlives an edit, and the new code has it", async () => {
    await inHost(async ({ previews, open, get }) => {
      const counter = (by: number): string => `export class Counter extends DurableObject {
        step() { const n = (this.ctx.storage.kv.get("n") ?? 0) + ${by}; this.ctx.storage.kv.put("n", n); return n; } }`;
      const files = (by: number): Record<string, string | object> => ({
        "wrangler.json": wrangler(COUNTERS),
        "src/index.ts": app(`return env.COUNTER.getByName("a").step()`, counter(by)),
      });
      const [first, second] = [await open(files(1)), await open(files(100))];
      expect((await get(first, "/")).text).toBe("1");
      expect((await get(second, "/")).text).toBe("101");
      expect((await get(first, "/")).text).toBe("102");
      const other = await open(files(1), "s2");
      expect((await get(other, "/")).text).toBe("1");
      await previews.remove("s1");
      expect((await get(await open(files(1)), "/")).text).toBe("1");
      expect((await get(other, "/")).text).toBe("2");
    });
  });

  test("an alarm rings, and is gone while it does", async () => {
    await inHost(async ({ previews, open, get }) => {
      const run = `const a = env.COUNTER.getByName("a");
        return request.url.endsWith("/set") ? a.later(-1) : a.rang();`;
      const preview = await open({ "wrangler.json": wrangler(COUNTERS), "src/index.ts": app(run, COUNTER) });
      expect(Number((await get(preview, "/set")).text)).toBeGreaterThan(0);
      expect((await get(preview, "/")).text).toBe("null");
      await previews.runAlarms();
      expect((await get(preview, "/")).text).toBe("[null,0]");
    });
  });

  test("an alarm of an app that cannot be built waits, and is not asked for again and again", async () => {
    await inHost(async ({ previews, alarms, open, get }) => {
      const run = `const a = env.COUNTER.getByName("a");
        return request.url.endsWith("/set") ? a.later(-1) : a.rang();`;
      const files = { "wrangler.json": wrangler(COUNTERS), "src/index.ts": app(run, COUNTER) };
      await get(await open(files), "/set");
      await open({ ...files, "src/index.ts": "const a = {{;" });
      const now = Date.now();
      await previews.runAlarms();
      expect(alarms.at(-1)).toBeGreaterThanOrEqual(now + 60_000);
      const mended = await open(files);
      expect((await get(mended, "/")).text).toBe("null");
    });
  });

  test("a socket reaches the object", async () => {
    await inHost(async ({ previews, open }) => {
      const source = `import { DurableObject } from "cloudflare:workers"; ${COUNTER}
        export default { fetch: (request, env) => env.COUNTER.getByName("a").fetch(request) };`;
      const { id, url } = await open({ "wrangler.json": wrangler(COUNTERS), "src/index.ts": source });
      const response = await previews.fetch(id, new Request(url, { headers: { upgrade: "websocket" } }));
      const socket = response.webSocket;
      if (!socket) throw new Error(`no socket but ${response.status}`);
      socket.accept();
      const said = new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
      socket.send("hi");
      expect(await said).toBe("echo hi");
      socket.close();
    });
  });
});

test("a schedule runs when it is called", async () => {
  await inHost(async ({ previews, open, get }) => {
    const source = `let ran = []; export default {
      fetch: () => Response.json(ran),
      async scheduled({ cron, scheduledTime }, env, ctx) { ran.push([cron, typeof scheduledTime, env.A, typeof ctx.waitUntil]); },
    };`;
    const config = wrangler({ triggers: { crons: ["0 * * * *"] }, vars: { A: "a" } });
    const preview = await open({ "wrangler.json": config, "src/index.ts": source });
    await previews.runScheduled(preview.id, "0 * * * *");
    expect((await get(preview, "/")).text).toBe('[["0 * * * *","number","a","function"]]');
    for (const path of ["/__scheduled", "/cdn-cgi/handler/scheduled"]) {
      expect(await get(preview, `${path}?cron=1+*+*+*+*`)).toMatchObject({ status: 200, text: "Ran scheduled event" });
    }
    expect((await get(preview, "/")).text).toContain('["1 * * * *","number","a","function"]]');
    const failing = { "src/index.ts": `export default { scheduled() { throw new Error("no"); } };` };
    const broken = await open({ "wrangler.json": config, ...failing });
    expect(await get(broken, "/__scheduled")).toMatchObject({
      status: 500,
      text: "The scheduled handler failed: no\n",
    });
    // An app without a schedule may have such a path of its own.
    const own = await open({
      "wrangler.json": wrangler(),
      "src/index.ts": `export default { fetch: () => new Response("own") };`,
    });
    expect((await get(own, "/__scheduled")).text).toBe("own");
  });
});

describe("D1", () => {
  test("migrations, statements, batches and errors", async () => {
    const config = { d1_databases: [{ binding: "DB", database_name: "d", database_id: "i" }] };
    const files = {
      "migrations/0001_a.sql": "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, data BLOB);",
      "migrations/0002_b.sql": "INSERT INTO notes (text) VALUES ('first');",
    };
    const run = `
      const insert = env.DB.prepare("INSERT INTO notes (text, data) VALUES (?, ?)");
      const { meta, success } = await insert.bind("second", new Uint8Array([1, 2])).run();
      const failed = await env.DB.batch([insert.bind("lost", null), env.DB.prepare("SELECT 1 FROM nowhere")]).catch(String);
      const [, all] = await env.DB.batch([insert.bind("third", null), env.DB.prepare("SELECT text FROM notes ORDER BY id")]);
      return {
        success, changes: meta.changes, last: meta.last_row_id, changed: meta.changed_db, failed,
        all: all.results.map(({ text }) => text),
        first: await env.DB.prepare("SELECT * FROM notes WHERE id = ?").bind(2).first(),
        column: await env.DB.prepare("SELECT count(*) AS n FROM notes").first("n"),
        none: await env.DB.prepare("SELECT * FROM notes WHERE id = 99").first(),
        raw: await env.DB.prepare("SELECT id, text FROM notes LIMIT 1").raw({ columnNames: true }),
        exec: (await env.DB.exec("SELECT 1; SELECT 2;")).count,
        type: await (async () => env.DB.prepare("SELECT ?").bind(undefined).all())().catch(String),
        done: (await env.DB.prepare("SELECT name FROM d1_migrations").all()).results.length,
      };`;
    expect(await answer(config, run, "", files)).toEqual({
      success: true,
      changes: 1,
      last: 2,
      changed: true,
      failed: "Error: D1_ERROR: no such table: nowhere: SQLITE_ERROR",
      all: ["first", "second", "third"],
      first: { id: 2, text: "second", data: [1, 2] },
      column: 3,
      none: null,
      raw: [
        ["id", "text"],
        [1, "first"],
      ],
      exec: 2,
      type: "Error: D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
      done: 2,
    });
  });
});

describe("KV", () => {
  test("values, metadata, lists and errors", async () => {
    const run = `
      const kv = env.KV;
      await kv.put("a", "text", { metadata: { m: 1 }, expirationTtl: 60 });
      await kv.put("b/1", new Uint8Array([104, 105]));
      await kv.put("b/2", new Response('{"x":1}').body);
      await kv.put("big", "x".repeat(3_000_000));
      const list = await kv.list({ prefix: "b/", limit: 1 });
      const rest = await kv.list({ prefix: "b/", cursor: list.cursor });
      const metadata = await kv.getWithMetadata("a");
      await kv.delete("a");
      return {
        text: await kv.get("b/1"), json: await kv.get("b/2", "json"), bytes: (await kv.get("b/1", { type: "arrayBuffer" })).byteLength,
        stream: await new Response(await kv.get("b/1", "stream")).text(), big: (await kv.get("big")).length,
        several: [...(await kv.get(["b/1", "nothing"]))], gone: await kv.get("a"),
        list: [list.keys.map(({ name }) => name), list.list_complete, rest.keys.map(({ name }) => name), rest.list_complete],
        metadata: [metadata.value, metadata.metadata], keys: (await kv.list()).keys,
        errors: await Promise.all([
          () => kv.get(""), () => kv.put("k".repeat(513), ""), () => kv.put("k", {}), () => kv.put("k", "", { expirationTtl: 1 }),
        ].map(async (each) => each().then(() => "none", (error) => error.message))),
      };`;
    expect(await answer({ kv_namespaces: [{ binding: "KV", id: "i" }] }, run)).toEqual({
      text: "hi",
      json: { x: 1 },
      bytes: 2,
      stream: "hi",
      big: 3_000_000,
      several: [
        ["b/1", "hi"],
        ["nothing", null],
      ],
      gone: null,
      list: [["b/1"], false, ["b/2"], true],
      metadata: ["text", { m: 1 }],
      keys: [{ name: "b/1" }, { name: "b/2" }, { name: "big" }],
      errors: [
        "Key name cannot be empty.",
        "KV PUT failed: 414 UTF-8 encoded length of 513 exceeds key length limit of 512.",
        "KV put() accepts only strings, ArrayBuffers, ArrayBufferViews, and ReadableStreams as values.",
        "KV PUT failed: 400 Invalid expiration_ttl of 1. Expiration TTL must be at least 60.",
      ],
    });
  });
});

describe("R2", () => {
  test("objects, ranges, conditions, metadata and lists", async () => {
    const run = `
      const r2 = env.R2;
      const put = await r2.put("dir/a.txt", "hello world", { httpMetadata: { contentType: "text/plain" }, customMetadata: { c: "1" } });
      await r2.put("dir/b.txt", "b"); await r2.put("c.bin", new Uint8Array(2_500_000).fill(7));
      const got = await r2.get("dir/a.txt");
      const headers = new Headers(); got.writeHttpMetadata(headers);
      const part = await r2.get("dir/a.txt", { range: { offset: 6, length: 5 } });
      const late = await r2.get("c.bin", { range: { suffix: 3 } });
      const unless = await r2.get("dir/a.txt", { onlyIf: { etagDoesNotMatch: put.etag } });
      const refused = await r2.put("dir/a.txt", "other", { onlyIf: { etagMatches: "something" } });
      const groups = await r2.list({ delimiter: "/" });
      const page = await r2.list({ limit: 2 });
      const next = await r2.list({ limit: 2, cursor: page.cursor });
      const wrong = await r2.put("x", "1", { md5: "00000000000000000000000000000000" }).catch((error) => error.message);
      await r2.delete(["dir/b.txt", "c.bin"]);
      return {
        put: [put.key, put.size, put.etag, put.httpEtag === '"' + put.etag + '"', put.uploaded instanceof Date],
        text: await got.text(), type: headers.get("content-type"), custom: got.customMetadata, used: got.bodyUsed,
        part: [await part.text(), part.range], late: [...new Uint8Array(await late.arrayBuffer())], unless: ["body" in unless, unless.size],
        refused, groups: [groups.objects.map(({ key }) => key), groups.delimitedPrefixes, groups.truncated],
        pages: [page, next].map(({ objects, truncated }) => [objects.map(({ key }) => key), truncated]), wrong,
        head: (await r2.head("dir/a.txt")).size, none: [await r2.get("nothing"), await r2.head("dir/b.txt")],
      };`;
    const wrong = expect.stringContaining("The MD5 checksum you specified did not match");
    expect(await answer({ r2_buckets: [{ binding: "R2", bucket_name: "b" }] }, run)).toEqual({
      put: ["dir/a.txt", 11, "5eb63bbbe01eeed093cb22bb8f5acdc3", true, true],
      text: "hello world",
      type: "text/plain",
      custom: { c: "1" },
      used: true,
      part: ["world", { offset: 6, length: 5 }],
      late: [7, 7, 7],
      unless: [false, 11],
      refused: null,
      groups: [["c.bin"], ["dir/"], false],
      pages: [
        [["c.bin", "dir/a.txt"], true],
        [["dir/b.txt"], false],
      ],
      wrong,
      head: 11,
      none: [null, null],
    });
  });
});

test("what the platform has for Workers and not for an isolate of a loader", async () => {
  const textOf = (text: string): Promise<string> =>
    inHost(
      async ({ open, get }) => (await get(await open({ "wrangler.json": wrangler(), "src/index.ts": text }), "/")).text,
    );
  const source = `export default { async fetch(request, env, ctx) {
    ctx.passThroughOnException();
    const cache = await caches.open("c");
    await cache.put("http://a/", new Response("kept", { headers: { "cache-control": "max-age=9" } }));
    return new Response(await (await cache.match("http://a/")).text());
  } };`;
  expect(await textOf(source)).toBe("kept");
  const entrypoint = `import { WorkerEntrypoint } from "cloudflare:workers";
    export default class extends WorkerEntrypoint { fetch() { this.ctx.passThroughOnException(); return new Response("passed"); } }`;
  expect(await textOf(entrypoint)).toBe("passed");
});
