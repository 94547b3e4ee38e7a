import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandsIn } from "../commands-in.ts";
import differences from "./known-differences.json" with { type: "json" };
import { ourBash, type OurResult } from "./with-our-bash.ts";
import { realBash, type ScriptResult } from "./with-real-bash.ts";
import { PREPARE, repositoryFiles } from "./with-repository.ts";

// Scripts that real agents typed; they are not copied here.
const folder = process.env["TENREC_CASES"];

/** The repository is the top of the workspace here, whatever it was called where the scripts come from. */
const scripts = folder
  ? (JSON.parse(readFileSync(join(folder, "bash-commands.json"), "utf8")) as string[]).map((script) =>
      script.replaceAll("/workspace/pi-mono", "/workspace"),
    )
  : [];

type Verdict = "correct" | "refused" | "different";

const idOf = (script: string): string => createHash("sha256").update(script).digest("hex").slice(0, 12);
interface Difference {
  readonly id: string;
  readonly reason: string;
}

const differenceList: readonly Difference[] = differences.known;
const known = new Map(differenceList.map(({ id, reason }) => [id, reason]));

/** The order of a folder's entries is that of the disk, so it counts only where something sorts. */
function isSame(ours: ScriptResult, real: ScriptResult): boolean {
  const sorted = ({ stdout }: ScriptResult): string => stdout.split("\n").sort().join("\n");
  return sorted(ours) === sorted(real) && ours.exitCode === real.exitCode && sameFiles(ours, real);
}

function sameFiles(ours: ScriptResult, real: ScriptResult): boolean {
  const text = ({ files }: ScriptResult): string =>
    JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return text(ours) === text(real);
}

type Weigh = (script: string) => number;

const byScripts: Weigh = () => 1;

const WEIGHTS: Readonly<Record<string, Weigh>> = {
  scripts: byScripts,
  words: (script) => commandsIn(script).length,
};

function share(verdicts: readonly Verdict[], of: Verdict, weigh: Weigh): number {
  const sum = (isCounted: (at: number) => boolean): number =>
    scripts.reduce((total, script, at) => (isCounted(at) ? total + weigh(script) : total), 0);
  return sum((at) => verdicts[at] === of) / sum(() => true);
}

/** What a person needs to see of a difference. */
function describeDifference(script: string, ours: OurResult, real: ScriptResult): string {
  const paths = [...new Set([...Object.keys(ours.files), ...Object.keys(real.files)])];
  const changed = paths.filter((path) => ours.files[path] !== real.files[path]);
  const { stdout, stderr, exitCode } = ours;
  return `${idOf(script)}: ${script}\n${JSON.stringify({ ours: { stdout, stderr, exitCode }, real: { stdout: real.stdout, exitCode: real.exitCode }, changed }, null, 1)}`;
}

describe("scripts of real agents, beside real bash", () => {
  test("each difference that is known has a reason, and they are few", () => {
    for (const reason of known.values()) expect(reason.length).toBeGreaterThan(20);
    expect(differenceList.length).toBeLessThanOrEqual(differences.size * 0.05);
  });

  test.skipIf(!folder)("do the same, or say what they need", { timeout: 300_000 }, async () => {
    expect(scripts.length).toBe(differences.size);
    const files = repositoryFiles();
    using real = await realBash(files, PREPARE);
    const run = await ourBash(real.files, real.gitFiles);
    const verdicts: Verdict[] = [];
    const unknown: string[] = [];
    for (const script of scripts) {
      const ours = await run(script);
      // What needs another tier does not run on this machine either.
      if (ours.missing.length > 0) {
        verdicts.push("refused");
        continue;
      }
      const wanted = await real.run(script);
      const same = isSame(ours, wanted);
      verdicts.push(same ? "correct" : "different");
      if (same === known.has(idOf(script))) unknown.push(describeDifference(script, ours, wanted));
    }
    for (const [name, weigh] of Object.entries(WEIGHTS)) {
      const shares = (["correct", "refused", "different"] as const).map(
        (verdict) => `${verdict} ${(share(verdicts, verdict, weigh) * 100).toFixed(1)} %`,
      );
      console.log(`by ${name}: ${shares.join(", ")}`);
    }
    expect(unknown.join("\n\n")).toBe("");
    expect(share(verdicts, "correct", byScripts)).toBeGreaterThanOrEqual(0.65);
  });
});
