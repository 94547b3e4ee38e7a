import { homedir } from "node:os";
import { join } from "node:path";

/** Where the benchmarks keep what they can make again. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  // The XDG specification says to ignore a relative path.
  const cache = env["XDG_CACHE_HOME"]?.startsWith("/") ? env["XDG_CACHE_HOME"] : join(homedir(), ".cache");
  return join(cache, "tenrec", "bench");
}
