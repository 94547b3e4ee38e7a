import { dataFolder } from "../store/data-folder.ts";
import { choosePaint } from "../terminal/paint.ts";
import type { Surroundings } from "./surroundings.ts";

const MAX_WIDTH = 120;
const USUAL_WIDTH = 100;

/** What the process says of itself. */
export function readSurroundings(from: NodeJS.Process, stop: AbortSignal): Surroundings {
  const { env, stdin, stdout, stderr } = from;
  return {
    env,
    // npm runs its scripts elsewhere, and says where it was called.
    cwd: env["INIT_CWD"] ?? from.cwd(),
    data: dataFolder(env),
    stdin,
    stdout,
    stderr,
    paint: choosePaint(stdout.isTTY, env),
    width: Math.min(stdout.columns ?? USUAL_WIDTH, MAX_WIDTH),
    program: env["npm_lifecycle_event"] === "tenrec" ? "npm run tenrec --" : "tenrec",
    now: Date.now,
    stop,
  };
}
