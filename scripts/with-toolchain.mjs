// Runs one of the project's scripts with the right Node and pnpm, on a machine that has only Node >= 20 and npm.
// Usage: node scripts/with-toolchain.mjs <name> [arguments…] runs `<name>:run` of package.json.
// Nothing is imported before the version check, so that an old Node gets a sentence and not a syntax error.

const major = Number(process.versions.node.split(".")[0]);

if (process.platform === "win32") {
  stop("Windows is not supported: run this inside WSL.");
} else if (major < 20) {
  stop(`Node ${process.versions.node} is too old: install Node 20 or newer.`);
} else {
  const { main } = await import("./toolchain/main.mjs");
  await main(process.argv.slice(2));
}

function stop(message) {
  process.stderr.write(`tenrec: ${message}\n`);
  process.exitCode = 1;
}
