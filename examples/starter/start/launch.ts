import { join } from "node:path";
import { connect, type SessionClient } from "@tenrec/runtime/client";
import {
  askEndpoint,
  freePort,
  modelNote,
  modelVariables,
  readVariables,
  type Server,
  type StateFolder,
  USUAL_PORT,
} from "tenrec/local";

type Variables = Readonly<Record<string, string | undefined>>;

export interface LaunchOptions {
  /** Folder of `wrangler.jsonc`. */
  readonly root: string;
  readonly port: number | undefined;
  readonly state: StateFolder;
  readonly env: Variables;
}

export interface Launched {
  /** Of the page, with the token and the session. */
  readonly url: string;
  readonly session: SessionClient;
  /** What the user should know first. */
  readonly notes: readonly string[];
  /** False when the model is known not to answer. */
  readonly isPlayable: boolean;
}

/** Starts the Worker and makes a session in it, with no files yet. Throws `StartError`. */
export async function launch(server: Server, { root, port: wanted, state, env }: LaunchOptions): Promise<Launched> {
  const own = readVariables(join(root, ".dev.vars"));
  const given = modelVariables(env);
  const variables = { ...own, ...given };
  const [port, endpoint] = await Promise.all([freePort(wanted), askEndpoint(variables)]);
  const named = endpoint && "name" in endpoint ? { TENREC_MODEL: `openai-compatible/${endpoint.name}` } : {};
  const config = join(root, "wrangler.jsonc");
  await server.start({ config, port, state: state.path, variables: { ...given, ...named } });

  const token = own.TENREC_TOKEN;
  const agent = connect(`http://127.0.0.1:${port}/agents/coder/starter`, { token });
  const session = await agent.sessions.create({ filesFrom: null });
  const { model } = await session.info();
  const isPlayable = !(endpoint && "problem" in endpoint);
  const notes = [modelNote(model, variables, endpoint)];
  if (wanted === undefined && port !== USUAL_PORT) notes.push(`Port ${USUAL_PORT} is taken, so this is port ${port}.`);
  if (state.isExtra) notes.push("Another start is running: this one has sessions of its own.");
  const fragment = new URLSearchParams({ token, session: session.id }).toString();
  return { url: `http://localhost:${port}/#${fragment}`, session, notes, isPlayable };
}
