import type { CleanUp } from "../bench/frame/clean-up.ts";
import { startCommand } from "../bench/frame/start-command.ts";
import type { Host } from "./host.ts";

/** An app under `wrangler dev`, in the folder where it is, with what is done before: `vite build`, migrations. */
export async function startWrangler(
  folder: string,
  before: readonly (readonly string[])[],
  cleanUp: CleanUp,
): Promise<Host> {
  for (const command of before) await runToEnd(command, folder, cleanUp);
  const args = ["dev", "--port", "0", "--ip", "127.0.0.1", "--inspector-port", "0", "--test-scheduled"];
  const server = startCommand(["wrangler", ...args, "--show-interactive-dev-session=false"], folder, cleanUp);
  const [, address] = await server.printed(/Ready on (http:\/\/[\d.]+:\d+)/);
  const url = `${address}/`;
  return { name: "wrangler dev", url, socketUrl: url, cookies: new Map(), stop: () => server.stop() };
}

async function runToEnd(command: readonly string[], folder: string, cleanUp: CleanUp): Promise<void> {
  const running = startCommand(command, folder, cleanUp);
  const code = await running.exited;
  await running.stop();
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${running.output()}`);
}
