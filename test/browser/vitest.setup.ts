import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { startNpmServer } from "../../packages/preview/src/deps/with-npm-server.ts";
import { Server } from "../kill/server.ts";
import { findChromium } from "./find-chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where tests reach Chromium, and the port of the agent; undefined where there is no Chromium. */
    chromium: { readonly endpoint: string; readonly port: number } | undefined;
  }
}

const FLAGS = ["--no-sandbox", "--disable-background-networking"];

/** Starts an agent in workerd, and Chromium. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) {
    console.log("No Chromium: tests in a browser are skipped. Set CHROMIUM to one, or have chromium in the PATH.");
    project.provide("chromium", undefined);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "tenrec-browser-"));
  const [registry, port] = await Promise.all([startNpmServer(import.meta.dirname, ["react", "react-dom"]), freePort()]);
  const variables = {
    TENREC_TOKEN: "test-token",
    TENREC_SECRET: "test-secret",
    TENREC_PREVIEW_HOST: `http://preview.shared.localhost:${port}`,
    TEST_REGISTRY: registry.url,
  };
  const server = new Server(join(import.meta.dirname, "../agent/wrangler.jsonc"), folder, variables, port);
  const [browser] = await Promise.all([
    chromium.launchServer({ executablePath, args: FLAGS, headless: true }),
    server.address(""),
  ]);
  project.provide("chromium", { endpoint: browser.wsEndpoint(), port });
  return async () => {
    await Promise.all([browser.close(), server.kill(), registry.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
