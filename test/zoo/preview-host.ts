import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { connect } from "@tenrec/runtime/client";
import { packTar } from "modern-tar/fs";
import { startNpmServer } from "../../packages/preview/src/deps/with-npm-server.ts";
import type { CleanUp } from "../bench/frame/clean-up.ts";
import { Server } from "../kill/server.ts";
import type { Host } from "./host.ts";

/** An agent in workerd, whose sessions are given apps. */
export interface PreviewServer {
  /** A new session with the files of this folder, in a workspace of its own. `stop` deletes it. */
  show(folder: string): Promise<Host>;
  stop(): Promise<void>;
}

/** Where what is installed is found. */
const HERE = join(import.meta.dirname, "..");

/** Starts the agent, with storage in this folder and a registry of these installed packages. */
export async function startPreviewServer(
  folder: string,
  packages: readonly string[],
  cleanUp: CleanUp,
): Promise<PreviewServer> {
  const registry = await startNpmServer(HERE, packages);
  const token = randomBytes(16).toString("hex");
  const server = new Server(join(HERE, "agent", "wrangler.jsonc"), folder, {
    TENREC_TOKEN: token,
    TENREC_SECRET: randomBytes(32).toString("hex"),
    TEST_REGISTRY: registry.url,
  });
  // Who has stopped it kills it again, in vain.
  const stop = cleanUp.add(() => void server.kill().catch(() => {}));
  const agents = await server.address("/agents/coder");
  let shown = 0;
  return {
    async show(app) {
      shown += 1;
      const agent = connect(`${agents}/zoo-${shown}`, { token });
      const session = await agent.sessions.create({ filesFrom: null });
      const files = packTar(app, { filter: (path) => !NOT_OURS.test(path.slice(app.length)) });
      await session.files.import(Readable.toWeb(files) as unknown as ReadableStream<Uint8Array>);
      const { url, host } = await session.preview();
      if (host === undefined) throw new Error("the preview has no host of its own");
      const { origin } = new URL(url);
      const stopShowing = (): Promise<void> => session.delete();
      return {
        name: "preview",
        url: `${origin}/`,
        hostname: new URL(host).host,
        socketUrl: url,
        cookies: new Map(),
        stop: stopShowing,
      };
    },
    async stop() {
      await server.kill();
      stop();
      await registry.stop();
    },
  };
}

/** What is made of a project, and is not of it. */
const NOT_OURS = /^\/(node_modules|dist|\.wrangler)(\/|$)/;
