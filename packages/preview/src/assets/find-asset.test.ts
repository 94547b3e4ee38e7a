import { describe, expect, test } from "vitest";
import type { HtmlHandling } from "../config/project-config.ts";
import { findAsset } from "./find-asset.ts";
import { firstToAnswer } from "./worker-first.ts";

const FILES = new Set([
  "/index.html",
  "/file.html",
  "/folder/index.html",
  "/data.bin",
  "/both.html",
  "/both/index.html",
  "/bare",
  "/bare.html",
]);

async function find(path: string, handling: HtmlHandling): Promise<string | undefined> {
  const match = await findAsset(path, handling, async (file) => FILES.has(file));
  return match && ("file" in match ? match.file : `→ ${match.redirect}`);
}

// The table of the documentation of static assets, and what it leaves open.
describe.each<[HtmlHandling, readonly (readonly [path: string, answer: string | undefined])[]]>([
  [
    "auto-trailing-slash",
    [
      ["/", "/index.html"],
      ["/index.html", "→ /"],
      ["/index", "→ /"],
      ["/file", "/file.html"],
      ["/file.html", "→ /file"],
      ["/file/", "→ /file"],
      ["/file/index", "→ /file"],
      ["/file/index.html", "→ /file"],
      ["/folder", "→ /folder/"],
      ["/folder.html", "→ /folder/"],
      ["/folder/", "/folder/index.html"],
      ["/folder/index", "→ /folder/"],
      ["/folder/index.html", "→ /folder/"],
      ["/data.bin", "/data.bin"],
      ["/both", "/both.html"],
      ["/both/", "/both/index.html"],
      ["/both/index", "→ /both/"],
      ["/bare", "/bare"],
      // Where a file has the name of its page, the page keeps its own.
      ["/bare.html", "/bare.html"],
      ["/none", undefined],
      ["/none.html", undefined],
      ["/none/", undefined],
    ],
  ],
  [
    "force-trailing-slash",
    [
      ["/", "/index.html"],
      ["/index.html", "→ /"],
      ["/index", "→ /"],
      ["/file", "→ /file/"],
      ["/file.html", "→ /file/"],
      ["/file/", "/file.html"],
      ["/file/index", "→ /file/"],
      ["/file/index.html", "→ /file/"],
      ["/folder", "→ /folder/"],
      ["/folder.html", "→ /folder/"],
      ["/folder/", "/folder/index.html"],
      ["/folder/index", "→ /folder/"],
      ["/folder/index.html", "→ /folder/"],
      ["/data.bin", "/data.bin"],
      ["/none", undefined],
    ],
  ],
  [
    "drop-trailing-slash",
    [
      ["/", "/index.html"],
      ["/index.html", "→ /"],
      ["/index", "→ /"],
      ["/file", "/file.html"],
      ["/file.html", "→ /file"],
      ["/file/", "→ /file"],
      ["/file/index", "→ /file"],
      ["/file/index.html", "→ /file"],
      ["/folder", "/folder/index.html"],
      ["/folder.html", "→ /folder"],
      ["/folder/", "→ /folder"],
      ["/folder/index", "→ /folder"],
      ["/folder/index.html", "→ /folder"],
      ["/data.bin", "/data.bin"],
      ["/none", undefined],
    ],
  ],
  [
    "none",
    [
      ["/", undefined],
      ["/index.html", "/index.html"],
      ["/file", undefined],
      ["/file.html", "/file.html"],
      ["/folder/", undefined],
      ["/data.bin", "/data.bin"],
    ],
  ],
])("%s", (handling, rows) => {
  test.each(rows)("%s", async (path, answer) => {
    expect(await find(path, handling)).toBe(answer);
  });
});

test.each<[boolean | string[], string, "worker" | "assets" | undefined]>([
  [true, "/x", "worker"],
  [false, "/x", undefined],
  [["/api/*"], "/api/x/y", "worker"],
  [["/api/*"], "/page", undefined],
  [["/api/*", "!/api/docs/*"], "/api/docs/a", "assets"],
  [["/*", "!/assets/*"], "/a.b(c)", "worker"],
  [["/a.b"], "/aXb", undefined],
])("run_worker_first %j for %s: %s", (runWorkerFirst, path, expected) => {
  const assets = { directory: "/", htmlHandling: "none", notFoundHandling: "none", runWorkerFirst } as const;
  expect(firstToAnswer(assets, new Request(`http://app${path}`))).toBe(expected);
});
