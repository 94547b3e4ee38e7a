import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs `npm start` in `folder`, stops it after the first event of the agent, and resolves with the seconds to the line
 * with the URL and from there to that event. Rejects, with the last of the output, when either does not come in time.
 */
export async function watchStart(folder, env, limitSeconds) {
  const child = spawn("npm", ["start"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const start = performance.now();
  const since = () => (performance.now() - start) / 1000;
  const ended = once(child, "close");
  const tail = [];
  const keep = (line) => {
    tail.push(line);
    if (tail.length > 30) tail.shift();
  };
  createInterface({ input: child.stderr }).on("line", keep);
  const timer = setTimeout(() => child.kill("SIGTERM"), limitSeconds * 1000);
  try {
    const reader = startReader();
    let url;
    for await (const line of createInterface({ input: child.stdout })) {
      keep(line);
      const seen = reader(line);
      if (seen === "url") url = since();
      if (seen === "event") return { url, event: since() - url };
    }
    throw new Error(`npm start ended, or was stopped after ${limitSeconds} s, too early:\n${tail.join("\n")}`);
  } finally {
    clearTimeout(timer);
    await stop(child, ended);
  }
}

/** Says of each line of the output whether it is the one with the URL, or the first that the agent makes. */
function startReader() {
  let seen = "nothing";
  return (line) => {
    if (seen === "nothing" && line.startsWith("Tenrec is running at http")) return (seen = "url");
    // The prompt is quoted, line by line; what comes after it is the agent's.
    if (seen === "url" && line.startsWith("> ")) seen = "prompt";
    else if (seen === "prompt" && line.trim() !== "" && !line.startsWith("> ")) return (seen = "event");
    return undefined;
  };
}

async function stop(child, ended) {
  child.kill("SIGTERM");
  const late = sleep(15_000, "late", { ref: false });
  if ((await Promise.race([ended, late])) === "late")
    throw new Error(`npm start (${child.pid}) does not stop on SIGTERM`);
}
