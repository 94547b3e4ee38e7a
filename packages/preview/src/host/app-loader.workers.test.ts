import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { memoryFileSystem } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../load/limits.ts";
import { AppLoader } from "./app-loader.ts";
import type { WorkerApp } from "./built-app.ts";

test("an object keeps ten apps: of one more, that which was used longest ago is let go", async () => {
  await runInDurableObject(env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId()), async (_, ctx) => {
    const meter = { use: () => undefined };
    const loader = new AppLoader({
      ctx,
      loader: env.TEST_LOADER,
      binding: "TEST_OBJECT",
      limits: DEFAULT_LIMITS,
      meter,
    });
    const load = (n: number): ReturnType<AppLoader["load"]> =>
      loader.load({ session: "s", tree: String(n), fs: memoryFileSystem({}) }, appOf(String(n)));
    const ids: string[] = [];
    for (let n = 0; n < 10; n += 1) ids.push((await load(n)).id);
    await load(0);
    ids.push((await load(10)).id);
    expect(ids.filter((id) => loader.find(id) === undefined)).toEqual([ids[1]]);
    expect(() => loader.get(ids[1] ?? "")).toThrow("No such preview, or not any more");
  });
});

function appOf(hash: string): WorkerApp {
  const config = {
    name: "app",
    main: "/src/index.ts",
    compatibilityDate: "2026-01-01",
    compatibilityFlags: [],
    vars: {},
    alias: {},
    kv: [],
    d1: [],
    r2: [],
    durableObjects: [],
    services: [],
    crons: [],
    unsupported: [],
  };
  return { config, modules: new Map(), main: "src/index.ts", hash, inserted: () => undefined };
}
