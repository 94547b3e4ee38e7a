import { spawn } from "node:child_process";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// A terminal sends Ctrl-C to npm and to this process, and npm passes it on: one press arrives twice within a moment.
const samePressMs = 500;

/** How long a command may take to leave by itself after the second press. */
const leaveMs = 2000;

/**
 * Runs a shell command with arguments in a process group of its own, so that a signal reaches all of it, and resolves
 * with how it ended: `{ code, signal }`. A second press of Ctrl-C kills the group, unless it leaves by itself.
 */
export function runInGroup(command, args, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const shellArgs = ["-c", `${command} "$@"`, "sh", ...args];
    const child = spawn("/bin/sh", shellArgs, { cwd, env, stdio: "inherit", detached: true });
    let first;
    let killing;
    const forward = (signal) => {
      first ??= Date.now();
      signalGroup(child.pid, signal);
      if (Date.now() - first > samePressMs) killing ??= setTimeout(() => signalGroup(child.pid, "SIGKILL"), leaveMs);
    };
    for (const signal of signals) process.on(signal, forward);
    const orphaned = () => {
      // A closing terminal ends npm and signals this process too: that was the first press.
      if (first === undefined) forward("SIGTERM");
    };
    const stopWatching = env.npm_lifecycle_event ? onParentDeath(orphaned) : () => {};
    const settle = () => {
      stopWatching();
      clearTimeout(killing);
      for (const signal of signals) process.off(signal, forward);
    };
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("exit", (code, signal) => {
      // Whatever the leader has left behind.
      signalGroup(child.pid, "SIGTERM");
      settle();
      resolve({ code, signal });
    });
  });
}

/** npm passes on neither SIGHUP nor, of course, SIGKILL: its child learns of them by having lost its parent. */
function onParentDeath(callback) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 500);
  return () => clearInterval(timer);
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}
