import type { ArchiveEntry } from "@tenrec/vfs/folder";

/** A moment of a preview at which workerd is killed. */
export interface PreviewPoint {
  readonly name: string;
  /** What the app is asked for, and dies in. */
  readonly path: string;
  /** Whether it dies in the middle of what it says, or before it has said a word; `loop`: at a random moment of many requests. */
  readonly when: "silent" | "speaking" | "loop";
}

export const previewPoints: readonly PreviewPoint[] = [
  { name: "a preview is starting", path: "", when: "silent" },
  { name: "a preview is answering", path: "stream", when: "speaking" },
  { name: "an object of a preview is writing", path: "count", when: "loop" },
  { name: "a preview is asked for data of its bindings", path: "kv", when: "loop" },
];

/** Starts slowly, and counts in an object, in two tables at once, and in KV. */
export const SHOWN_APP: Readonly<Record<string, string>> = {
  "wrangler.json": JSON.stringify({
    name: "shown",
    main: "src/index.js",
    compatibility_date: "2026-10-01",
    durable_objects: { bindings: [{ name: "ROOM", class_name: "Room" }] },
    migrations: [{ tag: "v1", new_sqlite_classes: ["Room"] }],
    kv_namespaces: [{ binding: "KV", id: "kv" }],
  }),
  "src/late.js": `export const late = "whole";`,
  "src/index.js": `import { DurableObject } from "cloudflare:workers";
import { late } from "./late.js";
for (let turn = 0; turn < 15_000_000; turn++);
export class Room extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    for (const table of ["a", "b"]) ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS " + table + " (n INTEGER)");
  }
  add() {
    this.ctx.storage.transactionSync(() => {
      for (const table of ["a", "b"]) this.ctx.storage.sql.exec("INSERT INTO " + table + " VALUES (1)");
    });
    return this.counts();
  }
  counts() {
    return ["a", "b"].map((table) => this.ctx.storage.sql.exec("SELECT count(*) AS n FROM " + table).one().n);
  }
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default { async fetch(request, env) {
  const room = env.ROOM.getByName("a");
  const path = new URL(request.url).pathname.split("/").at(-1);
  if (path === "count") return Response.json(await room.add());
  if (path === "kv") {
    await env.KV.put("n", String(Number((await env.KV.get("n")) ?? 0) + 1));
    return Response.json(await env.KV.get("n"));
  }
  if (path === "stream") return new Response(new ReadableStream({ async pull(controller) {
    controller.enqueue(new TextEncoder().encode(late.padEnd(65_536)));
    await sleep(50);
  } }));
  return Response.json({ late, counts: await room.counts(), kv: Number((await env.KV.get("n")) ?? 0) });
} };
`,
};

/** The files of that app. */
export function shownApp(): ArchiveEntry[] {
  return Object.entries(SHOWN_APP).map(([path, text]) => {
    const content = new TextEncoder().encode(text);
    return { kind: "file", path: `/${path}`, mode: 0o644, size: content.length, content };
  });
}
