import type { Egress, EgressRequest } from "../egress.ts";
import { hasCode } from "../errors.ts";
import { check, rejection, within } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";

/** A way out behind which `respond` plays the internet. */
export interface EgressSubject {
  readonly egress: Egress;
  /** The requests that went out, oldest first. */
  readonly sent: readonly Request[];
}

/** What the internet of the cases says, by path. */
export function respondToEgressCase(request: Request): Response {
  const { pathname } = new URL(request.url);
  const location = REDIRECTS[pathname];
  if (location !== undefined) return new Response(null, { status: 302, headers: { location } });
  if (pathname === "/missing") return new Response("gone", { status: 404, statusText: "Not Found" });
  return new Response(`${request.method} ${pathname}`, { headers: { "x-case": "yes" } });
}

const REDIRECTS: Readonly<Record<string, string>> = {
  "/one": "/two",
  "/two": "/end",
  "/loop": "/loop",
  "/inside": "http://169.254.169.254/latest",
  "/elsewhere": "https://other.example/end",
};

const HOST = "https://example.com";
const request = (path: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  url: `${HOST}${path}`,
  maxBytes: 1000,
  timeout: 5000,
  signal: new AbortController().signal,
  ...more,
});

async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let all = "";
  for await (const piece of body) all += decoder.decode(piece, { stream: true });
  return all;
}

async function checkCode(promise: Promise<unknown>, code: Parameters<typeof hasCode>[1]): Promise<void> {
  check(hasCode(await rejection(promise, `to be refused with ${code}`), code), `the code ${code}`);
}

const CASES: Readonly<Record<string, (subject: EgressSubject) => Promise<void>>> = {
  "an answer has its status, its headers and its body": async ({ egress }) => {
    const { status, url, headers, body, redirects } = await egress.fetch(request("/a"));
    check(status === 200 && url === `${HOST}/a` && redirects.length === 0, "the answer of the address");
    check(headers.get("x-case") === "yes", "its headers");
    check((await text(body)) === "GET /a", "its body");
  },
  "an answer that says no is an answer": async ({ egress }) => {
    const { status, body } = await egress.fetch(request("/missing"));
    check(status === 404 && (await text(body)) === "gone", "status 404");
  },
  "method, headers and body are sent": async ({ egress, sent }) => {
    const body = new TextEncoder().encode("hello");
    await egress.fetch(request("/b", { method: "PUT", headers: { "x-own": "1" }, body }));
    const [first] = sent;
    check(first?.method === "PUT" && first.headers.get("x-own") === "1", "method and header");
    check((await first.text()) === "hello", "body");
  },
  "redirects are followed and told": async ({ egress }) => {
    const { url, redirects } = await egress.fetch(request("/one"));
    check(url === `${HOST}/end`, "the address that answered");
    const told = redirects.map((redirect) => `${redirect.status} ${redirect.url}`).join();
    check(told === `302 ${HOST}/two,302 ${HOST}/end`, "each redirect");
  },
  "with 0 redirects, the redirect is the answer": async ({ egress, sent }) => {
    const { status, headers } = await egress.fetch(request("/one", { maxRedirects: 0 }));
    check(status === 302 && headers.get("location") === "/two" && sent.length === 1, "the first answer");
  },
  "a loop of redirects ends": async ({ egress, sent }) => {
    await checkCode(egress.fetch(request("/loop", { maxRedirects: 3 })), "fetch-failed");
    check(sent.length <= 4, "no more requests than redirects that may be followed");
  },
  "an address that is not public is refused before anything goes out": async ({ egress, sent }) => {
    await checkCode(egress.fetch(request("", { url: "http://127.0.0.1/" })), "egress-refused");
    await checkCode(egress.fetch(request("", { url: "file:///etc/passwd" })), "egress-refused");
    check(sent.length === 0, "nothing to be sent");
  },
  "a redirect to an address that is not public is refused": async ({ egress, sent }) => {
    await checkCode(egress.fetch(request("/inside")), "egress-refused");
    check(sent.length === 1, "nothing to be sent there");
  },
  "credentials stay with the origin that they were given for": async ({ egress, sent }) => {
    await egress.fetch(
      request("/elsewhere", { headers: { authorization: "Bearer x", cookie: "a=b", "x-api-key": "k" } }),
    );
    const [first, second] = sent;
    check(first?.headers.get("authorization") === "Bearer x", "them to be sent to the first");
    const leaked = ["authorization", "cookie", "x-api-key"].filter((name) => second?.headers.has(name));
    check(second !== undefined && leaked.length === 0, `nothing of them at the second, not ${leaked.join()}`);
  },
  "a body above the limit is an error, not a shorter body": async ({ egress }) => {
    const { body } = await egress.fetch(request("/long-path", { maxBytes: 4 }));
    await checkCode(text(body), "response-too-large");
  },
  "onSend is called before each request": async ({ egress, sent }) => {
    const told: string[] = [];
    await egress.fetch(request("/one", { onSend: () => told.push(String(sent.length)) }));
    check(told.join() === "0,1,2", "a call before each of three requests");
  },
  "what onSend throws ends the request": async ({ egress, sent }) => {
    const reason = new Error("no");
    const onSend = (): never => {
      throw reason;
    };
    const error = await rejection(egress.fetch(request("/a", { onSend })), "the request to end");
    check(error instanceof Error && sent.length === 0, "nothing to be sent");
  },
  "an abort rejects with its reason": async ({ egress, sent }) => {
    const reason = new Error("stopped");
    const promise = egress.fetch(request("/a", { signal: AbortSignal.abort(reason) }));
    check((await within(2000, rejection(promise, "a stop"), "a stop")) === reason, "the signal's reason");
    check(sent.length === 0, "nothing to be sent");
  },
};

/** The subject's gate allows everything, and `respondToEgressCase` answers what is sent. */
export const egressCases: readonly ContractCase<EgressSubject>[] = Object.entries(CASES).map(([name, run]) => ({
  group: "Egress",
  name,
  run: async (make) => {
    await using subject = await make();
    await run(subject);
  },
}));
