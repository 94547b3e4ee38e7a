// Measures the first `npm start` of a clean clone with empty caches, and the second. JSON lines on standard output.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchStart } from "./measure-start/watch-start.mjs";

/** Seconds that a newcomer is asked to wait at most. */
const limits = { url: 180, event: 15 };

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tenrec-start-"));
try {
  const clone = join(folder, "clone");
  say("cloning the last commit");
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const env = emptyCaches(process.env, folder);
  for (const name of ["first", "second"]) {
    say(`${name} npm start`);
    report(name, await watchStart(clone, env, 2 * limits.url));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The environment of somebody who has never run this: no caches, no keys of a model. */
function emptyCaches(inherited, folder) {
  const own = /^(TENREC_|ANTHROPIC_|OPENAI_|CLOUDFLARE_|PNPM_HOME$|npm_)/;
  const kept = Object.entries(inherited).filter(([name]) => !own.test(name) || name === "npm_config_registry");
  return {
    ...Object.fromEntries(kept),
    XDG_CACHE_HOME: join(folder, "cache"),
    // The store of pnpm is here.
    XDG_DATA_HOME: join(folder, "data"),
    npm_config_cache: join(folder, "npm"),
  };
}

function report(name, seconds) {
  const rows = Object.entries(seconds).map(([what, value]) => ({ what, value: Number(value.toFixed(2)) }));
  for (const { what, value } of rows) {
    const measured = { unit: "s", median: value, min: value, max: value, runs: 1 };
    print({ bench: "start", case: `${name}-${what}`, subject: "tenrec", ...measured });
  }
  for (const { what, value } of rows) {
    // The peer is a clock: above 1, Tenrec is faster than the limit.
    const ratio = Number((limits[what] / value).toFixed(2));
    const goal = { peer: `${limits[what]} s`, ratio, goal: 1, better: "higher", met: ratio >= 1 };
    print({ bench: "start", case: `${name}-${what}`, ...goal });
    if (!goal.met) process.exitCode = 1;
  }
  say(`${name}: URL after ${seconds.url.toFixed(1)} s, first event ${seconds.event.toFixed(1)} s later`);
}

function print(row) {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
