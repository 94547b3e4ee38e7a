import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { DEFAULT_PERMISSION } from "../permission.ts";
import { chooseModel } from "../run/choose-model.ts";
import { startAgent } from "../run/local-agent.ts";
import { type Check, checkText } from "./check-text.ts";

/** `tenrec doctor`. Every check runs, whichever fail. */
export async function doctorCommand(around: Surroundings): Promise<ExitCode> {
  const { stdout, paint } = around;
  let isWell = true;
  for (const { name, run } of CHECKS) {
    const check = await run(around).then(
      (found): Check => ({ name, found }),
      (error: unknown): Check => ({ name, problem: error instanceof Error ? error.message : String(error) }),
    );
    isWell &&= "found" in check;
    stdout.write(checkText(check, paint));
  }
  return isWell ? EXIT.done : EXIT.failed;
}

const CHECKS: readonly { name: string; run: (around: Surroundings) => Promise<string> }[] = [
  { name: "Node", run: async () => `${process.versions.node}, at ${process.execPath}` },
  { name: "data folder", run: async ({ data }) => checkFolder(data) },
  {
    name: "model",
    run: async ({ env, cwd }) => {
      const { model, because } = await chooseModel(undefined, env, cwd);
      return `${model}, because of ${because}`;
    },
  },
  { name: "workerd", run: async () => startOnce() },
];

function checkFolder(data: string): string {
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    accessSync(data, constants.W_OK);
    return data;
  } catch (error) {
    throw new Error(`${(error as Error).message}. Set XDG_DATA_HOME to a folder that can be written.`, {
      cause: error,
    });
  }
}

async function startOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-doctor-"));
  const start = performance.now();
  try {
    const options = { model: "scripted/none", permission: DEFAULT_PERMISSION, script: {} };
    await using local = await startAgent({ folder, options, variables: {} });
    await local.agent.sessions.list();
    return `the Worker runs here, ${((performance.now() - start) / 1000).toFixed(1)} s to its first answer`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
