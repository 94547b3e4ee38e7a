import { mkdirSync } from "node:fs";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { ParsedCommand } from "../cli/parse-command.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { claimState } from "../local/claim-state.ts";
import { freePort } from "../local/free-port.ts";
import { StartError } from "../local/start-error.ts";
import { DEFAULT_PERMISSION } from "../permission.ts";
import { chooseModel } from "../run/choose-model.ts";
import { Interrupted, unlessStopped } from "../run/interrupts.ts";
import { startAgentUnlessStopped } from "../run/local-agent.ts";

/** `tenrec dev`: until Ctrl-C. */
export async function devCommand({ values }: ParsedCommand, around: Surroundings): Promise<ExitCode> {
  const { env, cwd, data, stdout, paint, stop } = around;
  const wanted = portNumber(values.get("port")?.[0]);
  const { model, because, variables, script } = await chooseModel(values.get("model")?.[0], env, cwd);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const state = claimState(`${data}/dev`);
  try {
    mkdirSync(state.path, { recursive: true, mode: 0o700 });
    const options = { model, permission: DEFAULT_PERMISSION, script };
    const port = await freePort(wanted);
    await using local = await startAgentUnlessStopped({ folder: state.path, options, variables, port }, stop);
    const { agent, token, broken } = local;
    stdout.write(`The model is ${model}, because of ${because}.\n\n`);
    stdout.write(`agent  ${paint("bold", agent.url)}\ntoken  ${paint("bold", token)}\n\n`);
    stdout.write(`import { connect } from "@tenrec/runtime/client";\n`);
    stdout.write(`const agent = connect("${agent.url}", { token: "…" });\n\nPress Ctrl-C to stop.\n`);
    throw new StartError(await unlessStopped(broken, stop));
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.done;
    throw error;
  } finally {
    state.release();
  }
}

function portNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new UsageError(`"${text}" is no port: give a number from 1 to 65535.`);
}
