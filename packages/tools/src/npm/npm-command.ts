import type { Egress } from "@tenrec/protocol";
import type { CommandContext, ShellCommand } from "../bash/shell-command.ts";
import { type ChangedPackages, changePackages, type PackageChange } from "./change-packages.ts";
import { LOCKFILE } from "./lockfile.ts";
import { NpmRefusal } from "./npm-refusal.ts";
import { registryOf } from "./npmrc.ts";
import { parseNpm } from "./parse-npm.ts";
import { parseRun } from "./parse-run.ts";
import { createRegistry } from "./registry.ts";
import { runScript } from "./run-script.ts";

/** Lockfiles of others, which npm does not write. */
const OTHER_LOCKS: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "npm-shrinkwrap.json": "npm shrinkwrap",
};

/**
 * `npm install <names>` and `npm uninstall <names>` without npm: `package.json` and `package-lock.json` are written as npm
 * would write them; nothing is unpacked. `npm run` and its kin run a script in the shell, where there is no executor to run
 * it in. All else that npm does needs one, and so does an install without a way to the network.
 */
export function createNpmCommand({ egress }: { readonly egress?: Egress | undefined }): ShellCommand {
  return {
    name: "npm",
    callsOthers: true,
    takes: (args) =>
      egress !== undefined && !args.includes(undefined) && parseNpm(args as readonly string[]) !== undefined,
    run: async (args, context) => {
      const script = parseRun(args);
      if (script) return runScript(script, context);
      const change = parseNpm(args);
      if (!change || !egress) return context.elsewhere();
      try {
        return { stdout: tell(await install(egress, change, context)) };
      } catch (error) {
        if (!(error instanceof NpmRefusal)) throw error;
        const stderr = error.message.replace(/^/gm, "npm error ");
        if (!error.isElsewhere) return { stderr: `${stderr}\n`, exitCode: 1 };
        return { ...context.elsewhere(), stderr: `${stderr}; this takes the real npm\n`, exitCode: 1 };
      }
    },
  };
}

async function install(egress: Egress, change: PackageChange, context: CommandContext): Promise<ChangedPackages> {
  const { fs, signal } = context;
  const textOf = async (name: string): Promise<string | undefined> => {
    const path = context.resolve(name);
    return (await fs.exists(path)) ? fs.readFile(path) : undefined;
  };
  const lock = await textOf(LOCKFILE);
  if (lock === undefined) {
    for (const [name, manager] of Object.entries(OTHER_LOCKS)) {
      if (await fs.exists(context.resolve(name))) {
        throw new NpmRefusal(`${name} is there, so ${manager} looks after the packages of this project`, true);
      }
    }
  }
  const addressOf = registryOf((await textOf(".npmrc")) ?? "");
  const registry = createRegistry({ egress, signal, addressOf });
  const done = await changePackages({ manifest: await textOf("package.json"), lock }, change, registry);
  signal.throwIfAborted();
  await fs.writeFile(context.resolve("package.json"), done.manifest);
  await fs.writeFile(context.resolve(LOCKFILE), done.lock);
  return done;
}

function tell({ added, removed, changed, withScripts, deprecated }: ChangedPackages): string {
  const count = (verb: string, n: number): string[] => (n > 0 ? [`${verb} ${n} package${n === 1 ? "" : "s"}`] : []);
  const counts = [...count("added", added), ...count("removed", removed), ...count("changed", changed)];
  const lines = deprecated.map((text) => `npm warn deprecated ${text}`);
  lines.push(counts.length > 0 ? counts.join(", ") : "up to date");
  lines.push(`(package.json and ${LOCKFILE} are written; node_modules is not: it is made where the project runs)`);
  if (withScripts.length > 0) lines.push(`(${withScripts.join(", ")} will run an install script there)`);
  return `${lines.join("\n")}\n`;
}
