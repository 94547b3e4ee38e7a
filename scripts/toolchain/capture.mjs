import { spawn } from "node:child_process";
import { constants } from "node:os";

/**
 * Runs a command to its end and returns `{ code, output }`, standard error included; never rejects. `code` is -1 where
 * it could not start. A signal to this process goes on to the command, and then ends this process through `cleanUp`.
 */
export function capture(command, args, { cwd, env, cleanUp = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (chunk) => (output += chunk);
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);

    let interrupted;
    const interrupt = (signal) => {
      interrupted ??= signal;
      child.kill(signal);
    };
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    for (const signal of signals) process.on(signal, interrupt);

    const end = (code) => {
      for (const signal of signals) process.off(signal, interrupt);
      if (interrupted) {
        cleanUp();
        process.exit(128 + constants.signals[interrupted]);
      }
      resolve({ code, output: output.trim() });
    };
    child.on("error", (error) => {
      output += error.message;
      end(-1);
    });
    child.on("close", (code) => end(code ?? -1));
  });
}
