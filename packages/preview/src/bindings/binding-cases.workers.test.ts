import { expect, inject, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";
import { BINDING_CASES, bindingApp } from "./with-binding-cases.ts";

const bindings = {
  kv_namespaces: [{ binding: "KV" }],
  d1_databases: [{ binding: "DB" }],
  r2_buckets: [{ binding: "R2" }],
};

test.each(BINDING_CASES)("$name, as miniflare has it", async ({ name, run }) => {
  await inHost(async ({ open, get }) => {
    const preview = await open({ "wrangler.json": wrangler(bindings), "src/index.ts": bindingApp(run) });
    const { text } = await get(preview, "/");
    const real = inject("realAnswers")[name];
    expect(real).toBeInstanceOf(Array);
    expect(JSON.parse(text)).toEqual(real);
  });
});
