import { connect, type SessionClient } from "@tenrec/runtime/client";
import { packTar } from "@tenrec/vfs";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { inject } from "vitest";

/** Undefined where tests in a browser are to be skipped. */
export const running: { readonly endpoint: string; readonly port: number } | undefined = inject("chromium");

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
  const agent = connect(agentUrl(crypto.randomUUID()), { token: "test-token" });
  const session = await agent.sessions.create();
  const write = async (changed: Files): Promise<void> => {
    const entries = Object.entries(changed).map(([path, text]) => {
      const content = new TextEncoder().encode(typeof text === "string" ? text : JSON.stringify(text));
      return { kind: "file" as const, path: `/${path}`, mode: 0o644, size: content.length, content };
    });
    await session.files.import(packTar(entries));
  };
  await write(files);
  const { url, host } = await session.preview();
  const token = url.split("/").at(-2) ?? "";
  const own = `http://${token}.preview.localhost:${running?.port}/`;
  return { session, write, urls: { path: `${AGENT}/previews/${token}/`, own, shared: host ?? "" } };
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
