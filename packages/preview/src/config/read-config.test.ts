import { memoryFileSystem } from "@tenrec/testkit";
import { describe, expect, test } from "vitest";
import type { ProjectConfig } from "./project-config.ts";
import { readConfig } from "./read-config.ts";

const MINIMAL = { name: "app", main: "src/index.ts", compatibility_date: "2026-01-31" };

const read = (files: Record<string, string>, root = "/"): ReturnType<typeof readConfig> =>
  readConfig(memoryFileSystem(files), root);

async function config(file: object, files: Record<string, string> = {}): Promise<ProjectConfig> {
  const found = await read({ "/wrangler.json": JSON.stringify({ ...MINIMAL, ...file }), ...files });
  if (!found || !("name" in found)) throw new Error(JSON.stringify(found));
  return found;
}

async function problem(files: Record<string, string>): Promise<string> {
  const found = (await read(files)) ?? [];
  if ("name" in found) throw new Error("no problem");
  return found.map(({ path, line, column, message }) => [path, line, column, message].join(":")).join("\n");
}

test("the files of a project", async () => {
  expect(await read({ "/.dev.vars": "A=1" })).toBeUndefined();
  const jsonc = `{ // a comment\n "main": "./a.ts", "compatibility_date": "2026-01-31", }`;
  const toml = `name = "t"\nmain = "b.ts"\ncompatibility_date = "2026-01-31"\n[[kv_namespaces]]\nbinding = "KV"\n`;
  expect(await read({ "/wrangler.jsonc": jsonc })).toMatchObject({
    path: "/wrangler.jsonc",
    name: "worker",
    main: "/a.ts",
  });
  expect(await read({ "/app/wrangler.toml": toml }, "/app")).toMatchObject({
    name: "t",
    main: "/app/b.ts",
    kv: ["KV"],
  });
  const both = { "/wrangler.json": JSON.stringify(MINIMAL), "/wrangler.toml": toml };
  expect(await read(both)).toMatchObject({ path: "/wrangler.json" });
});

test("what a preview acts on", async () => {
  expect(
    await config({
      compatibility_flags: ["nodejs_compat"],
      vars: { A: "1", B: { c: [1] } },
      alias: { a: "./b" },
      assets: { directory: "./public/", binding: "ASSETS", run_worker_first: ["/api/*"] },
      durable_objects: { bindings: [{ name: "C", class_name: "Counter" }] },
      kv_namespaces: [{ binding: "KV", id: "x" }],
      d1_databases: [{ binding: "DB" }, { binding: "OTHER", migrations_dir: "./sql" }],
      r2_buckets: [{ binding: "R2" }],
      services: [{ binding: "SELF", service: "app", entrypoint: "E" }],
      triggers: { crons: ["* * * * *"] },
    }),
  ).toEqual({
    path: "/wrangler.json",
    name: "app",
    main: "/src/index.ts",
    compatibilityDate: "2026-01-31",
    compatibilityFlags: ["nodejs_compat"],
    vars: { A: "1", B: { c: [1] } },
    alias: { a: "./b" },
    assets: {
      directory: "/public",
      binding: "ASSETS",
      htmlHandling: "auto-trailing-slash",
      notFoundHandling: "none",
      runWorkerFirst: ["/api/*"],
    },
    durableObjects: [{ binding: "C", className: "Counter" }],
    kv: ["KV"],
    d1: [
      { binding: "DB", migrations: "/migrations" },
      { binding: "OTHER", migrations: "/sql" },
    ],
    r2: ["R2"],
    services: [{ binding: "SELF", entrypoint: "E" }],
    crons: ["* * * * *"],
    unsupported: [],
  });
});

test(".dev.vars is above vars", async () => {
  const devVars = "# secrets\nA=new # why\nexport B='it # is'\nC=\"two\\nlines\"\nD=\nno variable\nE = ` x `\r\nF=a=b";
  expect((await config({ vars: { A: "old", Z: 1 } }, { "/.dev.vars": devVars })).vars).toEqual({
    A: "new",
    B: "it # is",
    C: "two\nlines",
    D: "",
    E: " x ",
    F: "a=b",
    Z: 1,
  });
});

describe("what is not supported is named", () => {
  test.each([
    [{ ai: { binding: "AI" } }, [{ feature: "ai", binding: "AI" }]],
    [
      { queues: { producers: [{ binding: "Q", queue: "q" }], consumers: [{ queue: "q" }] } },
      [{ feature: "queues", binding: "Q" }],
    ],
    [{ queues: { consumers: [{ queue: "q" }] } }, [{ feature: "queues" }]],
    [{ vectorize: [{ binding: "V", index_name: "i" }] }, [{ feature: "vectorize", binding: "V" }]],
    [{ workflows: [] }, []],
    [{ services: [{ binding: "S", service: "elsewhere" }] }, [{ feature: "services to elsewhere", binding: "S" }]],
    [
      { durable_objects: { bindings: [{ name: "D", class_name: "D", script_name: "elsewhere" }] } },
      [{ feature: "durable_objects of elsewhere", binding: "D" }],
    ],
  ])("%j", async (file, expected) => {
    expect((await config(file)).unsupported).toEqual(expected);
  });
});

describe("what is wrong is said, with its place", () => {
  test.each<[string, Record<string, string>, string]>([
    ["JSON", { "/wrangler.json": '{\n  "main": }' }, "/wrangler.json:2:11:not valid JSON: value expected"],
    ["TOML", { "/wrangler.toml": "name = \n" }, "/wrangler.toml:1:8:not valid TOML: "],
    ["a list", { "/wrangler.json": "[]" }, "/wrangler.json:1:1:the configuration: "],
    ["no main", { "/wrangler.json": "{}" }, "/wrangler.json:1:1:there is neither main nor assets.directory"],
    ["no date", { "/wrangler.json": `{"main":"a.ts"}` }, "/wrangler.json:1:1:compatibility_date is missing"],
    [
      "a date that is none",
      { "/wrangler.json": `{"main":"a.ts",\n "compatibility_date": "today"}` },
      "/wrangler.json:2:24:compatibility_date: a date such as 2026-01-31",
    ],
    [
      "a deep field",
      { "/wrangler.json": `{"main":"a.ts","kv_namespaces":[{"binding":"A"},\n{"id":"x"}]}` },
      "/wrangler.json:2:1:kv_namespaces.1.binding: ",
    ],
    [
      "an unknown way",
      { "/wrangler.json": JSON.stringify({ ...MINIMAL, assets: { directory: "a", html_handling: "x" } }) },
      "assets.html_handling: ",
    ],
  ])("%s", async (_, files, expected) => {
    expect(await problem(files)).toContain(expected);
  });
});

test("a value of .dev.vars may have lines, and one that does not end is one line", async () => {
  const devVars = `KEY="-----BEGIN\nline\n-----END"\nOPEN="not closed\nA=1\n${"B=".padEnd(100_000, " ")}x`;
  const { vars } = await config({}, { "/.dev.vars": devVars });
  expect(vars).toMatchObject({ KEY: "-----BEGIN\nline\n-----END", OPEN: '"not closed', A: "1", B: "x" });
});
