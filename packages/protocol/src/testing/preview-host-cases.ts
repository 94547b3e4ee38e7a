import type { PreviewHost, PreviewRequest } from "../preview-host.ts";
import { check } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

/** A host, and trees to show. */
export interface PreviewHostSubject {
  readonly host: PreviewHost;
  /** An app that answers `GET /` with status 200 and the text `it works`, and echoes the body of `POST /echo`. */
  readonly app: PreviewRequest;
  /** Another version of it, in the same session, that answers `GET /` with `it changed`. */
  readonly changed: PreviewRequest;
  /** An app that cannot be built; its errors mention `broken.ts`. */
  readonly broken: PreviewRequest;
}

async function get(host: PreviewHost, id: string): Promise<{ status: number; text: string }> {
  const response = await host.fetch(id, new Request("http://preview.invalid/"));
  return { status: response.status, text: await response.text() };
}

type Run = (subject: PreviewHostSubject) => Promise<void>;

const CASES: Readonly<Record<string, Run>> = {
  "the same tree of a session gives the same preview": async ({ host, app }) => {
    const [first, second] = [await host.open(app), await host.open(app)];
    check(first.id === second.id, "the same id");
  },
  "another tree, or another session, gives another one": async ({ host, app, changed }) => {
    const requests = [app, changed, { ...app, session: `${app.session}-other` }];
    const previews = await Promise.all(requests.map((request) => host.open(request)));
    check(new Set(previews.map(({ id }) => id)).size === 3, "three ids");
  },
  "a request is answered as the app would": async ({ host, app }) => {
    const { id } = await host.open(app);
    const { status, text } = await get(host, id);
    check(status === 200 && text.includes("it works"), `the app's answer, not ${status} ${text}`);
    const body = "a body";
    const echo = await host.fetch(id, new Request("http://preview.invalid/echo", { method: "POST", body }));
    check((await echo.text()) === body, "method, path and body to reach the app");
  },
  "a change is a new preview, and the old one stays as it was": async ({ host, app, changed }) => {
    const [before, after] = [await host.open(app), await host.open(changed)];
    check((await get(host, after.id)).text.includes("it changed"), "the changed app");
    check((await get(host, before.id)).text.includes("it works"), "the app as it was");
  },
  "a build that fails is a response with the errors": async ({ host, broken }) => {
    const { id } = await host.open(broken);
    const { status, text } = await get(host, id);
    check(status === 500, `status 500, not ${status}`);
    check(text.includes("broken.ts"), "the errors in the body");
  },
  "any text may be taken for a stack trace of a page": async ({ host, app }) => {
    const { id } = await host.open(app);
    for (const text of ["", "nonsense", "at (/:0:0)", "\n".repeat(1000), `at f (/${"x".repeat(10_000)}:1:1)`]) {
      const located = await host.locate?.(id, text);
      check(located === undefined || typeof located.stack === "string", "what is left of it");
    }
    await host.locate?.("no-such-id", "at /a.js:1:1");
  },
  "a closed preview is not served, and may be closed again": async ({ host, app }) => {
    const { id } = await host.open(app);
    await host.close(id);
    await host.close(id);
    const answer = await get(host, id).catch(() => undefined);
    check(answer === undefined || answer.status >= 400, "no answer of the app");
  },
  "a closed preview can be opened again": async ({ host, app }) => {
    await host.close((await host.open(app)).id);
    const { id } = await host.open(app);
    check((await get(host, id)).text.includes("it works"), "the app's answer");
  },
};

export const previewHostCases: readonly ContractCase<PreviewHostSubject>[] = Object.entries(CASES).map(
  ([name, run]) => ({
    group: "PreviewHost",
    name,
    run: async (make) => {
      await using subject = await make();
      await run(subject);
    },
  }),
);
