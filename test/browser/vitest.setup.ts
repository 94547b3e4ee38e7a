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
    /** Where tests reach Chromium, and the ports of an agent without TLS and of one with it; undefined where there is no Chromium. */
    chromium: { readonly endpoint: string; readonly port: number; readonly securePort: number } | undefined;
  }
}

const FLAGS = [
  "--no-sandbox",
  "--disable-background-networking",
  // The certificate is a made up one, and so are the hosts.
  "--ignore-certificate-errors",
  "--host-resolver-rules=MAP *.test 127.0.0.1",
];

/** Starts an agent in workerd, and Chromium. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) {
    console.log("No Chromium: tests in a browser are skipped. Set CHROMIUM to one, or have chromium in the PATH.");
    project.provide("chromium", undefined);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), "tenrec-browser-"));
  const [registry, port, securePort] = await Promise.all([
    startNpmServer(import.meta.dirname, ["react", "react-dom"]),
    freePort(),
    freePort(),
  ]);
  const config = join(import.meta.dirname, "../agent/wrangler.jsonc");
  const variables = (host: string): Record<string, string> => ({
    TENREC_TOKEN: "test-token",
    TENREC_SECRET: "test-secret",
    TENREC_PREVIEW_HOST: host,
    TEST_REGISTRY: registry.url,
  });
  const plain = variables(`http://preview.shared.localhost:${port}`);
  const secure = variables(`https://preview.shared.test:${securePort}`);
  const servers = [
    new Server(config, join(folder, "plain"), plain, port),
    new Server(config, join(folder, "secure"), secure, securePort, "https"),
  ];
  const [browser] = await Promise.all([
    chromium.launchServer({ executablePath, args: FLAGS, headless: true }),
    ...servers.map((server) => server.address("")),
  ]);
  project.provide("chromium", { endpoint: browser.wsEndpoint(), port, securePort });
  return async () => {
    await Promise.all([browser.close(), registry.stop(), ...servers.map((server) => server.kill())]);
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
