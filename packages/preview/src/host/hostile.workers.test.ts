import { describe, expect, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

const COUNTER = `import { DurableObject, exports } from "cloudflare:workers";
  export class Counter extends DurableObject { hello() { return "hello"; } }`;
const config = wrangler({
  durable_objects: { bindings: [{ name: "C", class_name: "Counter" }] },
  d1_databases: [{ binding: "DB" }],
  kv_namespaces: [{ binding: "KV" }],
});

async function said(run: string, more = ""): Promise<unknown> {
  const source = `${COUNTER} ${more}
    const err = async (run) => { try { return await run(); } catch (error) { return String(error.message); } };
    export default { async fetch(request, env, ctx) { ${run} } };`;
  return inHost(async ({ open, get }) => {
    const { text } = await get(await open({ "wrangler.json": config, "src/index.ts": source }), "/");
    return JSON.parse(text) as unknown;
  });
}

describe("what an app can reach", () => {
  test("holds no gateway", async () => {
    const run = `return Response.json([Object.keys(env), Object.getOwnPropertyNames(env.KV), "TENREC_PREVIEW" in env]);`;
    expect(await said(run)).toEqual([["C", "KV", "DB"], [], false]);
  });

  test("is no object that it made no id for", async () => {
    const run = `const other = env.C.get(env.C.idFromName("a"));
      return Response.json([await other.hello(), await err(() => env.C.get({ toString: () => "x" })), await err(() => env.C.idFromString("../x"))]);`;
    expect(await said(run)).toEqual([
      "hello",
      "get() takes an id made by this namespace",
      "Invalid Durable Object ID: must be 64 hex digits",
    ]);
  });
});

test("headers by which an app would speak for another one are dropped", async () => {
  const run = `const headers = { "tenrec-gateway-from": encodeURIComponent('{"session":"s2","app":"x"}'), "tenrec-gateway-url": "http://x/" };
    const answer = await env.C.getByName("a").fetch("http://object/", { headers }).then((r) => r.text(), String);
    return Response.json(answer);`;
  const more = `Counter.prototype.fetch = (request) => new Response([...request.headers.keys()].join());`;
  expect(await said(run, more)).toBe("");
});

test("what an app says is cut before it is kept", async () => {
  await inHost(async ({ open, get, reports }) => {
    const source = `export default { fetch() { throw new Error("x".repeat(1_000_000)); } };`;
    await get(await open({ "wrangler.json": wrangler(), "src/index.ts": source }), `/${"p".repeat(5000)}`);
    expect(reports).toHaveLength(2);
    for (const report of reports) expect(JSON.stringify(report).length).toBeLessThan(20_000);
  });
});

test("a module that is too large is refused by its size", async () => {
  await inHost(async ({ open, get }) => {
    const source = `import "./big.js"; export default {};`;
    const big = " ".repeat(10 * 1024 * 1024 + 1);
    const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": source, "src/big.js": big });
    expect((await get(preview, "/")).text).toContain("src/big.js: the file has 10485761 bytes");
  });
});

test("a pattern of the configuration costs no time that grows with its stars", async () => {
  await inHost(async ({ open, get }) => {
    const assets = { directory: "public", run_worker_first: [`/${"*a".repeat(50)}*b`] };
    const files = {
      "public/index.html": "home",
      "src/index.ts": `export default { fetch: () => new Response("worker") };`,
    };
    const preview = await open({ "wrangler.json": wrangler({ assets }), ...files });
    expect((await get(preview, `/${"a".repeat(8000)}`)).text).toBe("worker");
  });
});

const deep = "[".repeat(100_000) + "]".repeat(100_000);
const fine = `export default { fetch: () => new Response("fine") };`;

test.each([
  ["wrangler.json", `{"main":"src/index.ts","x":${deep}}`, "wrangler.json: not valid JSON: it nests too deep"],
  [
    "wrangler.toml",
    `main="src/index.ts"\nx=${deep}\n`,
    "wrangler.toml:2:1003: not valid TOML: document contains excessively",
  ],
  ["tsconfig.json", deep, "fine"],
  ["src/index.ts", `${fine} export const x = ${deep};`, "src/index.ts: it nests too deep"],
  ["src/index.ts", `${fine} export const x = ${"1+".repeat(50_000)}1;`, "src/index.ts: it nests too deep"],
])("a %s that nests without an end is a problem of the app alone", async (path, text, expected) => {
  const main = path === "wrangler.toml" ? {} : { "wrangler.json": wrangler() };
  await inHost(async ({ open, get }) => {
    const answer = await get(await open({ ...main, "src/index.ts": fine, [path]: text }), "/");
    expect(answer.text).toContain(expected);
  });
});
