import type { Egress } from "@tenrec/protocol";
import type { CommandContext, CommandOutput, ShellCommand } from "../../bash/shell-command.ts";
import type { ToolPorts } from "../../tool-ports.ts";
import type { CurlOutput, CurlPort } from "./curl-port.ts";
import { runCurl } from "./run-curl.ts";
import { runWget } from "./wget.ts";

export type CurlPorts = Pick<ToolPorts, "onEffect"> & { readonly egress: Egress };

/** `curl` in the shell. Its first request is told as an effect of the call before it goes out, whatever its method. */
export function createCurlCommand(ports: CurlPorts): ShellCommand {
  return command("curl", ports, runCurl);
}

/** `wget` in the shell, over the same way out. */
export function createWgetCommand(ports: CurlPorts): ShellCommand {
  return command("wget", ports, runWget);
}

type Run = (args: readonly string[], port: CurlPort) => Promise<CurlOutput>;

function command(name: string, ports: CurlPorts, run: Run): ShellCommand {
  return { name, run: (args, context): Promise<CommandOutput> => run(args, portOf(name, ports, context)) };
}

function portOf(by: string, { egress, onEffect }: CurlPorts, context: CommandContext): CurlPort {
  const { fs, signal, stdin } = context;
  return {
    by,
    egress,
    signal,
    onSend: (target) => onEffect?.(target, "network"),
    readFile: (path) => fs.readFileBuffer(context.resolve(path)),
    writeFile: async (path, bytes, withFolders) => {
      const place = context.resolve(path);
      // A file like others to what holds it in memory.
      if (place === "/dev/null") return;
      if (withFolders) await fs.mkdir(place.slice(0, place.lastIndexOf("/")) || "/", { recursive: true });
      await fs.writeFile(place, bytes);
    },
    readStdin: () => stdin.bytes(),
    now: () => performance.now(),
    sleep,
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
