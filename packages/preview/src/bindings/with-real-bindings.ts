import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { BINDING_CASES, bindingApp } from "./with-binding-cases.ts";

/** What each case answers, by name, with the bindings of miniflare. */
export async function realAnswers(): Promise<Record<string, unknown>> {
  const workers = BINDING_CASES.map(({ run }, index) => ({
    name: `case-${index}`,
    modules: true,
    script: bindingApp(run),
    compatibilityDate: "2026-10-01",
    kvNamespaces: { KV: `kv-${index}` },
    d1Databases: { DB: `db-${index}` },
    r2Buckets: { R2: `r2-${index}` },
  }));
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers }));
  try {
    const answers = BINDING_CASES.map(async ({ name }, index) => {
      const worker = await miniflare.getWorker(`case-${index}`);
      return [name, await (await worker.fetch("http://case/")).json()] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  } finally {
    await miniflare.dispose();
  }
}
