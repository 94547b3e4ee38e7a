import { describe, expect, test } from "vitest";
import type { HtmlHandling } from "../config/project-config.ts";
import { findAsset } from "./find-asset.ts";
import { runsFirst } from "./worker-first.ts";

const FILES = new Set([
  "/index.html",
  "/file.html",
  "/folder/index.html",
  "/data.bin",
  "/both.html",
  "/both/index.html",
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
      ["/none", undefined],
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

test.each<[boolean | string[], string, boolean]>([
  [true, "/x", true],
  [false, "/x", false],
  [["/api/*"], "/api/x/y", true],
  [["/api/*"], "/page", false],
  [["/api/*", "!/api/docs/*"], "/api/docs/a", false],
  [["/*", "!/assets/*"], "/a.b(c)", true],
  [["/a.b"], "/aXb", false],
])("run_worker_first %j for %s is %s", (runWorkerFirst, path, expected) => {
  const assets = { directory: "/", htmlHandling: "none", notFoundHandling: "none", runWorkerFirst } as const;
  expect(runsFirst(assets, new Request(`http://app${path}`))).toBe(expected);
});
