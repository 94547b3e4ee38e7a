import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./capture.mjs";
import { explain } from "./explain.mjs";
import { withLock } from "./lock.mjs";
import { retryFlags } from "./retry-flags.mjs";
import { Stop, say } from "./stop.mjs";

/** Runs `pnpm install` where the lockfile or a package.json has changed since the last time. */
export async function installDependencies(root, env) {
  const stamp = join(root, "node_modules", ".tenrec-installed");
  const isDue = () => read(stamp) !== fingerprint(root);
  if (!isDue()) return;
  checkWritable(root);
  await withLock(
    join(root, ".cache", "install.lock"),
    async (free) => {
      // Whoever held the lock may have done it.
      if (isDue()) await install(root, env, stamp, free);
    },
    () => say("waiting for another run that installs dependencies"),
  );
}

function checkWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Stop(`cannot write to ${folder} (${error.code}): clone into a folder that can be written.`);
  }
}

async function install(root, env, stamp, cleanUp) {
  say("installing dependencies");
  // An install that is cut short leaves node_modules in no known state.
  rmSync(stamp, { force: true });
  const args = [
    "install",
    "--frozen-lockfile",
    "--prefer-offline",
    "--prod=false",
    "--reporter=append-only",
    ...retryFlags,
  ];
  const { code, output } = await capture("pnpm", args, { cwd: root, env, cleanUp });
  if (code !== 0) throw explain(output, "pnpm could not install the dependencies");
  writeFileSync(stamp, fingerprint(root));
}

/** Changes with everything that an install depends on. */
function fingerprint(root) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests(root)]) {
    hash.update(`\0${file}\0${read(join(root, file))}`);
  }
  return hash.digest("hex");
}

function manifests(root) {
  const inside = (folder) => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)).sort() : []);
  const folders = [
    ".",
    "test",
    ...["packages", "examples"].flatMap((group) => inside(group).map((name) => `${group}/${name}`)),
  ];
  return folders.map((folder) => `${folder}/package.json`).filter((file) => existsSync(join(root, file)));
}

function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
