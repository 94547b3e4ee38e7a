import { join } from "node:path";
import { connect } from "@tenrec/runtime/client";
import {
  askEndpoint,
  claimState,
  createServer,
  freePort,
  modelNote,
  modelVariables,
  parseStartOptions,
  readVariables,
  StartError,
} from "tenrec/local";
import { prompt } from "../src/prompt.ts";

const root = join(import.meta.dirname, "..");
const write = (text: string): void => void process.stdout.write(`${text}\n`);

/** Starts the Worker, and prints the page's address and, unless told otherwise, asks for the first app. */
async function main(args: readonly string[]): Promise<void> {
  const options = parseStartOptions(args, "npm run app-builder");
  const state = claimState(join(root, ".wrangler"));
  const server = createServer(`${state.path}.log`);
  const stop = new Promise<undefined>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve(undefined));
  });
  try {
    const own = readVariables(join(root, ".dev.vars"));
    const given = modelVariables(process.env);
    const port = await freePort(options.port);
    const endpoint = await askEndpoint({ ...own, ...given });
    const named = endpoint && "name" in endpoint ? { TENREC_MODEL: `openai-compatible/${endpoint.name}` } : {};
    const variables = { ...given, ...named };
    await server.start({ config: join(root, "wrangler.jsonc"), port, state: state.path, variables });
    const token = own.TENREC_TOKEN;
    const agent = connect(`http://127.0.0.1:${port}/agents/builder/apps`, { token });
    const session = await agent.sessions.create({ filesFrom: null });
    write(modelNote((await session.info()).model, { ...own, ...given }, endpoint));
    const fragment = new URLSearchParams({ token, session: session.id }).toString();
    write(`\nThe app builder is running at http://localhost:${port}/#${fragment}`);
    if (options.run) await session.submit(prompt, { operationId: "first" });
    write("Press Ctrl+C to stop.");
    const broken = await Promise.race([server.broken, stop]);
    if (broken !== undefined) throw new StartError(broken);
  } finally {
    await server.stop();
    state.release();
  }
}

try {
  await main(process.argv.slice(2));
  process.exitCode = 0;
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
process.exit();
