import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNode, hasPnpm } from "./find-tools.mjs";
import { installDependencies } from "./install-dependencies.mjs";
import { installTools } from "./install-tools.mjs";
import { runInGroup } from "./run.mjs";
import { Stop, say } from "./stop.mjs";
import { nodeVersion, pnpmVersion } from "./versions.mjs";

// Node 20.0 has no `import.meta.dirname`.
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs `<name>:run` of the root package.json with the toolchain, and ends as it ends. */
export async function main([name, ...args]) {
  try {
    const command = findScript(name);
    const env = await toolchainEnv(process.env);
    await installDependencies(root, env);
    prependPath(env, join(root, "node_modules", ".bin"));
    // Not `pnpm run`: it puts a script into a process group that outlives it.
    const { code, signal } = await runInGroup(command, args, { cwd: root, env });
    if (signal) process.kill(process.pid, signal);
    process.exitCode = code ?? 1;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (error.output) process.stderr.write(`${error.output}\n`);
    say(error.message);
    process.exitCode = 1;
  }
}

function findScript(name) {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (name && Object.hasOwn(scripts, `${name}:run`)) return scripts[`${name}:run`];
  const names = Object.keys(scripts).flatMap((script) => /^(.+):run$/.exec(script)?.[1] ?? []);
  throw new Stop(`name one of: ${names.join(", ")}.`);
}

/** The environment with the right tools first on the PATH. */
async function toolchainEnv(inherited) {
  // Corepack would replace pnpm by a version of its own choice.
  const env = { ...inherited, COREPACK_ENABLE_NETWORK: "0", COREPACK_ENABLE_PROJECT_SPEC: "0" };
  // npm reads its registry from here too, pnpm does not.
  if (env.npm_config_registry) env.pnpm_config_registry ??= env.npm_config_registry;
  // Nor does it take npm's certificates, and waits for minutes for a registry behind a company's own.
  if (env.npm_config_cafile) env.NODE_EXTRA_CA_CERTS ??= env.npm_config_cafile;
  const node = findNode(env);
  // Whoever names a good Node by its path wants that one, and not an older one on the PATH.
  if (node && !node.isOnPath) prependPath(env, node.folder);
  const missing = {};
  if (!node) missing.node = nodeVersion;
  if (!(await hasPnpm(root, env))) missing.pnpm = pnpmVersion;
  if (Object.keys(missing).length > 0) prependPath(env, await installTools(missing, env));
  return env;
}

function prependPath(env, folder) {
  env.PATH = [folder, env.PATH].join(delimiter);
}
