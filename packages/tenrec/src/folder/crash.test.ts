import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { applyChanges } from "./apply-changes.ts";
import { baseOf } from "./base.ts";
import { entriesOf, readTree, type Tree, withFolder, writeTree } from "./with-folder.ts";

const SIZE = 30_000;

// Half of them changed, some new, some gone, some moved.
function trees(): { base: Tree; session: Tree } {
  const base: Tree = {};
  const session: Tree = {};
  for (let i = 0; i < 400; i++) {
    const path = `d${i % 7}/f${i}`;
    if (i % 5 > 0) base[path] = `${i}`.repeat(SIZE / `${i}`.length);
    if (i % 4 > 0)
      session[i % 8 === 1 ? `${path}-moved` : path] = i % 2 ? `new ${i}`.padEnd(SIZE, "n") : (base[path] ?? "");
  }
  return { base, session };
}

const CHILD = `
const [{ applyChanges }, { baseOf }, { entriesOf }] = await Promise.all(
  ["apply-changes", "base", "with-folder"].map((name) => import(process.env.FOLDER_URL + name + ".ts")));
let text = "";
for await (const piece of process.stdin) text += piece;
const { dir, base, session } = JSON.parse(text);
const options = { dir, base: await baseOf(entriesOf(base)), entries: entriesOf(session) };
console.log("start");
await applyChanges(options);
`;

async function applyAndKill(dir: string, { base, session }: { base: Tree; session: Tree }, afterMs: number) {
  const child = spawn(process.execPath, ["--conditions=tenrec-source", "--input-type=module", "-e", CHILD], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_NO_WARNINGS: "1", FOLDER_URL: new URL(".", import.meta.url).href },
  });
  const exited = once(child, "exit");
  child.stdin.end(JSON.stringify({ dir, base, session }));
  await once(child.stdout, "data");
  await sleep(afterMs);
  child.kill("SIGKILL");
  await exited;
}

test("killed at any moment, each file is old or new, and applying again goes on", { timeout: 60_000 }, async () => {
  const { base, session } = trees();
  let partly = 0;
  for (const afterMs of [5, 25, 60, 100]) {
    await withFolder(async (folder) => {
      await writeTree(folder, base);
      await applyAndKill(folder, { base, session }, afterMs);
      const now = await readTree(folder);
      const isTemporary = (path: string): boolean => /\/\.tenrec-\d+-[0-9a-f]+\.tmp$/.test(path);
      const isTorn = (path: string): boolean => now[path] !== base[path] && now[path] !== session[path];
      const names = new Set([...Object.keys(now), ...Object.keys(base)].filter((path) => !isTemporary(path)));
      expect([...names].filter(isTorn)).toEqual([]);
      const done = Object.keys(session).filter((path) => now[path] === session[path] && base[path] !== session[path]);
      if (done.length > 0 && !Object.keys(session).every((path) => now[path] === session[path])) partly++;
      const options = { dir: folder, base: await baseOf(entriesOf(base)), entries: entriesOf(session) };
      const { files } = await applyChanges(options);
      expect(files.filter(({ status }) => status === "refused")).toEqual([]);
      expect(await readTree(folder)).toEqual(session);
      expect((await readdir(join(folder, "d1"))).filter((name) => name.startsWith("."))).toEqual([]);
    });
  }
  // Otherwise nothing was shown.
  expect(partly).toBeGreaterThan(0);
});
