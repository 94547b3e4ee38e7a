import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { capture } from "./capture.mjs";
import { explain } from "./explain.mjs";
import { isAlive } from "./lock.mjs";
import { retryFlags } from "./retry-flags.mjs";
import { Stop, say } from "./stop.mjs";

/**
 * Installs `packages` (name → exact version) from npm into a cache folder, once, and returns the folder of their
 * commands. The folder appears by one rename: it is complete or absent, whoever else runs or whatever is interrupted.
 */
export async function installTools(packages, env) {
  const names = Object.keys(packages);
  const specs = names.map((name) => `${name}@${packages[name]}`);
  const target = join(cacheFolder(env), `toolchain-${specs.join("-").replaceAll("@", "-")}`);
  const bin = join(target, "node_modules", ".bin");
  if (isComplete(target, names)) return bin;

  say(`installing ${specs.join(" and ")} into ${target} (once)`);
  const temporary = makeTemporary(target);
  const cleanUp = () => rmSync(temporary, { recursive: true, force: true });
  try {
    await npmInstall(temporary, specs, env, cleanUp);
    await check(temporary, names, env);
    publish(temporary, target, names);
  } finally {
    cleanUp();
  }
  return bin;
}

function cacheFolder(env) {
  // The XDG specification says to ignore a relative path.
  const cache = env.XDG_CACHE_HOME?.startsWith("/") ? env.XDG_CACHE_HOME : join(homedir(), ".cache");
  return join(cache, "tenrec");
}

function isComplete(folder, names) {
  return names.every((name) => existsSync(join(folder, "node_modules", ".bin", name)));
}

/** A folder beside the target, so that the rename stays on one disk; removes what killed runs left. */
function makeTemporary(target) {
  const parent = dirname(target);
  try {
    mkdirSync(parent, { recursive: true });
    for (const name of readdirSync(parent)) {
      const owner = /^installing-(\d+)-/.exec(name)?.[1];
      if (owner && !isAlive(Number(owner))) rmSync(join(parent, name), { recursive: true, force: true });
    }
    return mkdtempSync(join(parent, `installing-${process.pid}-`));
  } catch (error) {
    throw new Stop(`cannot write to ${parent} (${error.code}): set XDG_CACHE_HOME to a folder that can be written.`);
  }
}

async function npmInstall(folder, specs, env, cleanUp) {
  const flags = [
    "--no-save",
    "--ignore-scripts=false",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    ...retryFlags,
  ];
  const args = ["install", "--prefix", folder, ...flags, "--loglevel=error", ...specs];
  // npm tells its scripts where it is; the `npm` on the PATH may be another one, or none.
  const cli = env.npm_execpath;
  const [command, ...first] = cli && basename(cli) === "npm-cli.js" ? [process.execPath, cli] : ["npm"];
  const { code, output } = await capture(command, [...first, ...args], { cwd: folder, env, cleanUp });
  if (code !== 0) throw explain(output, "npm could not install the toolchain");
}

async function check(folder, names, env) {
  const bin = join(folder, "node_modules", ".bin");
  for (const name of names) {
    const { code, output } = await capture(join(bin, name), ["--version"], {
      cwd: folder,
      env: { ...env, PATH: `${bin}:${env.PATH}` },
    });
    if (code !== 0) throw new Stop(`the installed ${name} does not run on this machine.`, output);
  }
}

function publish(temporary, target, names) {
  // Only a folder that somebody has damaged can be here and not complete.
  if (existsSync(target) && !isComplete(target, names)) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(temporary, target);
  } catch (error) {
    // Another run was first; its folder is as good as this one.
    if (!isComplete(target, names)) throw error;
  }
}
