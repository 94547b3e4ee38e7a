import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";

/** The date of the pinned workerd, so the newest it knows. */
export const COMPATIBILITY_DATE = "2026-11-02";

const WRANGLER: string = join(import.meta.dirname, "../../node_modules/.bin/wrangler");

/**
 * Bundles a Worker with the Durable Object class `Subject`, as wrangler does for a deployment, with packages of this
 * repository from their sources. Returns the name of the module in `folder`.
 */
export async function bundleWorker(entry: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const config = {
    name: "bench",
    main: entry,
    compatibility_date: COMPATIBILITY_DATE,
    durable_objects: { bindings: [{ name: "SUBJECTS", class_name: "Subject" }] },
    migrations: [{ tag: "v1", new_sqlite_classes: ["Subject"] }],
  };
  const file = join(folder, "wrangler.json");
  await writeFile(file, JSON.stringify(config));
  await promisify(execFile)(WRANGLER, ["deploy", "--dry-run", "--outdir", folder, "--config", file], {
    env: {
      ...process.env,
      WRANGLER_BUILD_CONDITIONS: "tenrec-source,workerd,worker,browser",
      WRANGLER_SEND_METRICS: "false",
    },
  });
  return basename(entry).replace(/\.ts$/, ".js");
}
