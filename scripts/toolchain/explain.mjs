import { Stop } from "./stop.mjs";

const network =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|META_FETCH_FAIL|GET https?:\S+ error/;
const disk = /\b(EROFS|EACCES|EPERM|ENOSPC)\b/;

/** The error to throw when npm or pnpm failed: one sentence with what to do, and as much output as helps. */
export function explain(output, what) {
  const lines = output.split("\n");
  const end = lines.slice(-40).join("\n");
  const cause = disk.exec(output)?.[1];
  if (cause === "ENOSPC") return new Stop(`${what}: the disk is full.`);
  if (cause) {
    const first = lines.filter((line) => line.includes(cause)).slice(0, 3);
    return new Stop(
      `${what}: it cannot write to the disk (${cause}); check the permissions of this folder.`,
      first.join("\n"),
    );
  }
  if (network.test(output)) {
    const advice = "check the network, the proxy and `npm config get registry`";
    return new Stop(`${what}: the npm registry cannot be reached; ${advice}.`);
  }
  return new Stop(`${what}; its output is above.`, end);
}
