import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refusalOfTarget } from "./link-target.ts";
import { withFolder, writeTree } from "./with-folder.ts";

const OUT = "it is a link that leads out of the folder";

test.each<[string, string, string | undefined]>([
  ["l", "a", undefined],
  ["l", "./d//x", undefined],
  ["d/l", "../a", undefined],
  ["d/l", "..", undefined],
  ["l", "none/yet", undefined],
  ["l", "waits", undefined],
  ["l", "loop/x", undefined],
  ["l", "inside", undefined],
  ["l", "up/a", undefined],
  ["l", "..", OUT],
  ["d/l", "../..", OUT],
  ["l", "d/../a", OUT],
  ["l", "/", OUT],
  ["l", "\\\\server\\x", OUT],
  ["l", "C:x", OUT],
  ["l", "out", OUT],
  ["l", "out/x", OUT],
  ["l", "far/x", OUT],
  ["l", "chain/x", OUT],
  ["l", "gone/x", OUT],
  ["l", "d/far/x", OUT],
  ["l", "", "it is a link to a name that no file can have"],
])("%s → %j: %s", (path, target, refusal) =>
  withFolder(async (root) => {
    await writeTree(root, {
      "d/x": "",
      "d/up": { to: ".." },
      up: { to: "d/up" },
      waits: { to: "not/yet" },
      loop: { to: "loop" },
      out: { to: "/etc" },
      far: { to: "d/up/../.." },
      chain: { to: "far" },
      gone: { to: "/none/at/all" },
    });
    await symlink(join(root, "d"), join(root, "inside"));
    await symlink(join(root, "far"), join(root, "d/far"));
    expect(await refusalOfTarget(root, path.split("/"), target)).toBe(refusal);
  }),
);
