/** What is installed where the machine lacks it. */
export const nodeVersion = "24.21.0";
export const pnpmVersion = "11.28.11";

/** The oldest Node that runs the tools: it strips types without a flag. */
const oldestNode = [22, 18];

export function isGoodNode(version) {
  const [major, minor] = version.split(".").map(Number);
  return major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
}

export function isGoodPnpm(version) {
  return version.split(".")[0] === pnpmVersion.split(".")[0];
}
