import { readFileSync } from "node:fs";
import { ourBash } from "./src/bash/scripts/with-our-bash.ts";
import { realBash, type ScriptResult } from "./src/bash/scripts/with-real-bash.ts";
import { PREPARE, repositoryFiles } from "./src/bash/scripts/with-repository.ts";
using real = realBash(repositoryFiles(), PREPARE);
const ours = await ourBash(real.files, real.gitFiles);
const [file, filter = ""] = process.argv.slice(2);
const scripts = readFileSync(file!, "utf8").trimEnd().split("\n").filter((s) => s.includes(filter));
const changes = ({ files }: ScriptResult) =>
  [...new Set([...Object.keys(files), ...Object.keys(real.files)])].filter((p) => files[p] !== real.files[p]).sort().map((p) => [p, files[p]?.slice(0, 200)]);
let bad = 0;
for (const script of scripts) {
  const t0 = performance.now();
  const wanted = real.run(script);
  const t1 = performance.now();
  const got = await Promise.race([ours(script), new Promise<undefined>((r) => setTimeout(() => r(undefined), 5000))]);
  const t2 = performance.now();
  if (!got) { console.log(`HANG ${script}`); bad++; continue; }
  const a = JSON.stringify([got.stdout, got.exitCode, changes(got)]);
  const b = JSON.stringify([wanted.stdout, wanted.exitCode, changes(wanted)]);
  if (t1 - t0 > 1500 || t2 - t1 > 1500) console.log("SLOW", script, t1 - t0, t2 - t1);
  if (a !== b) { bad++; console.log(`--- ${script}\n  ours ${a.slice(0, 600)} ERR ${got.stderr.slice(0, 200)} ${got.missing}\n  real ${b.slice(0, 600)}`); }
}
console.log(bad, "of", scripts.length);
process.exit(0);
