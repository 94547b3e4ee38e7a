import { connect, type SessionClient } from "@tenrec/runtime/client";
import { packTar } from "@tenrec/vfs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { inject } from "vitest";

/** Undefined where tests in a browser are to be skipped. */
export const running: { readonly endpoint: string; readonly port: number; readonly securePort: number } | undefined =
  inject("chromium");

export type Mode = "path" | "own" | "shared";
export const MODES: readonly Mode[] = ["path", "own", "shared"];

/** Files by path; what is no text is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

export interface TestSession {
  readonly session: SessionClient;
  /** Where a browser goes to see the app. */
  readonly urls: Readonly<Record<Mode, string>>;
  /** Adds files, or changes them. */
  write(files: Files): Promise<void>;
}

/** Where a browser finds the agent. The one host for all previews is of the same site, as those of one `workers.dev` account are. */
export const AGENT = `http://agent.shared.localhost:${running?.port}`;

/** Where this process finds it: it does not know the names of such hosts. */
export function agentUrl(workspace: string): string {
  return `http://localhost:${running?.port}/agents/coder/${workspace}`;
}

/** A new session with these files, in a workspace of its own. */
export async function sessionWith(files: Files): Promise<TestSession> {
  return sessionAt(files, agentUrl(crypto.randomUUID()), (token) => ({
    path: `${AGENT}/previews/${token}/`,
    own: `http://${token}.preview.localhost:${running?.port}/`,
  }));
}

/** The same at an agent with TLS, at hosts as they are deployed; this process must be told to take its certificate. */
export async function secureSessionWith(files: Files): Promise<TestSession> {
  const port = running?.securePort;
  return sessionAt(files, `https://localhost:${port}/agents/coder/${crypto.randomUUID()}`, (token) => ({
    path: `https://agent.shared.test:${port}/previews/${token}/`,
    own: `https://${token}.preview.wild.test:${port}/`,
  }));
}

async function sessionAt(
  files: Files,
  url: string,
  placesOf: (token: string) => Pick<TestSession["urls"], "path" | "own">,
): Promise<TestSession> {
  const agent = connect(url, { token: "test-token" });
  const session = await agent.sessions.create();
  const write = async (changed: Files): Promise<void> => {
    const entries = Object.entries(changed).map(([path, text]) => {
      const content = new TextEncoder().encode(typeof text === "string" ? text : JSON.stringify(text));
      return { kind: "file" as const, path: `/${path}`, mode: 0o644, size: content.length, content };
    });
    await session.files.import(packTar(entries));
  };
  await write(files);
  const { url: address, host } = await session.preview();
  const token = address.split("/").at(-2) ?? "";
  return { session, write, urls: { ...placesOf(token), shared: host ?? "" } };
}

export interface TestBrowser extends AsyncDisposable {
  readonly context: BrowserContext;
}

/** A browser without a past. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.connect(running?.endpoint ?? "");
  const context = await browser.newContext();
  return { context, [Symbol.asyncDispose]: () => browser.close() };
}

/** A configuration with `main` in `src/index.js`, and what is given besides. */
export function wrangler(more: object = {}): object {
  return { name: "app", main: "src/index.js", compatibility_date: "2026-10-01", ...more };
}
