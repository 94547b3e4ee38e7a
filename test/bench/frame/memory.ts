import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const SAMPLE_MS = 5;

/** Resident memory of a process, in megabytes of 1,048,576 bytes. */
export function residentMegabytes(pid: number): number {
  return residentKilobytes(pid) / 1024;
}

function residentKilobytes(pid: number): number {
  if (process.platform !== "linux")
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  if (line === null) throw new Error(`process ${pid} has ended`);
  return Number(line[1]);
}

/** The most that a process had resident while `work` ran, sampled. */
export async function peakDuring(pid: number, work: () => Promise<void>): Promise<number> {
  let peak = residentMegabytes(pid);
  let done = false;
  const sampling = (async () => {
    while (!done) {
      peak = Math.max(peak, residentMegabytes(pid));
      await sleep(SAMPLE_MS);
    }
  })();
  try {
    await work();
    peak = Math.max(peak, residentMegabytes(pid));
  } finally {
    done = true;
    await sampling;
  }
  return peak;
}
