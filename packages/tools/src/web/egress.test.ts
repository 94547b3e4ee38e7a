import type { Egress, EgressRequest, Gate, PermissionRequest } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { egressCases, respondToEgressCase } from "@tenrec/protocol/testing";
import { describe, expect, test } from "vitest";
import { createEgress, type EgressOptions } from "./egress.ts";

const OPEN: Gate = { require: () => {} };

interface TestEgress extends AsyncDisposable {
  readonly egress: Egress;
  readonly sent: Request[];
}

function withInternet(
  respond: (request: Request) => Response | Promise<Response>,
  options: Partial<EgressOptions> = {},
): TestEgress {
  const sent: Request[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    sent.push(request.clone());
    return respond(request);
  };
  return { egress: createEgress({ fetch, gate: OPEN, ...options }), sent, [Symbol.asyncDispose]: async () => {} };
}

const ask = (url: string, more: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  maxBytes: 1000,
  timeout: 5000,
  signal: new AbortController().signal,
  ...more,
});

const redirect = (location: string, status = 302): Response => new Response(null, { status, headers: { location } });

describe("keeps the contract of an Egress", () => {
  test.each(egressCases.map((each) => [each.name, each] as const))("%s", async (_name, each) => {
    await expect(each.run(async () => withInternet(respondToEgressCase))).resolves.toBeUndefined();
  });
});

describe("a redirect", () => {
  test.each([
    ["http://2130706433/"],
    ["//127.1/"],
    ["http://[::ffff:a9fe:a9fe]/latest"],
    ["http://localhost:8080/"],
    ["https://user:pass@example.com/"],
    ["https://good.example@10.0.0.1/"],
    ["file:///etc/passwd"],
    ["javascript:alert(1)"],
    ["http://"],
    ["http:\\\\127.0.0.1\\"],
    ["/\\127.0.0.1/"],
    ["https://example.com:22/"],
    ["http://metadata.google.internal/"],
  ])("to %s is refused, and nothing is sent there", async (location) => {
    const { egress, sent } = withInternet(() => redirect(location));
    await expect(egress.fetch(ask("https://start.example/"))).rejects.toMatchObject({
      code: "egress-refused",
      data: { reason: expect.stringContaining("start.example redirects there, and ") },
    });
    expect(sent).toHaveLength(1);
  });

  test.each<[status: number, method: string, expected: string]>([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [302, "PUT", "PUT body"],
    [307, "POST", "POST body"],
    [308, "PATCH", "PATCH body"],
  ])("%i of %s becomes %s", async (status, method, expected) => {
    const { egress, sent } = withInternet((request) =>
      request.url.endsWith("/a") ? redirect("/b", status) : new Response(),
    );
    const body = method === "HEAD" ? {} : { body: new TextEncoder().encode("body") };
    await egress.fetch(ask("https://x.example/a", { method, headers: { "content-type": "text/plain" }, ...body }));
    const [, second] = sent;
    expect(`${second?.method} ${await second?.text()}`.trim()).toBe(expected);
    expect(second?.headers.has("content-type")).toBe(expected.endsWith("body"));
  });

  test("that leaves encryption takes no body along", async () => {
    const { egress } = withInternet(() => redirect("http://x.example/b", 307));
    const body = new TextEncoder().encode("secret");
    await expect(egress.fetch(ask("https://x.example/a", { method: "POST", body }))).rejects.toMatchObject({
      code: "egress-refused",
    });
  });

  test("to another port is another origin", async () => {
    const { egress, sent } = withInternet((request) =>
      request.url.includes(":8443") ? new Response() : redirect("https://x.example:8443/"),
    );
    await egress.fetch(ask("https://x.example/", { headers: { authorization: "x", accept: "text/html" } }));
    expect(sent[1]?.headers.get("authorization")).toBeNull();
    expect(sent[1]?.headers.get("accept")).toBe("text/html");
  });
});

describe("the gate", () => {
  const asked = async (url: string, respond: (request: Request) => Response): Promise<PermissionRequest[]> => {
    const requests: PermissionRequest[] = [];
    const { egress } = withInternet(respond, { gate: { require: (request) => void requests.push(request) } });
    await egress.fetch(ask(url, { by: "curl" }));
    return requests;
  };

  test("is asked about each address, and told which host sent the request there", async () => {
    const requests = await asked("https://example.com", (request) => {
      if (request.url === "https://example.com/") return redirect("https://www.example.com/");
      return request.url.includes("www.") ? redirect("https://other.example:8080/x") : new Response();
    });
    const common = { permission: "network", by: "curl" };
    expect(requests).toEqual([
      { ...common, detail: "GET https://example.com/", host: "example.com" },
      { ...common, detail: "GET https://www.example.com/", host: "www.example.com" },
      { ...common, detail: "GET https://other.example:8080/x", host: "other.example:8080", via: "www.example.com" },
    ]);
  });

  test("that refuses is obeyed before anything is sent or told", async () => {
    const told: string[] = [];
    const gate: Gate = {
      require: ({ permission, detail }) => {
        throw new TenrecError("approval-required", { permission, detail });
      },
    };
    const { egress, sent } = withInternet(() => new Response(), { gate });
    const request = ask("https://example.com", { onSend: (target) => told.push(target) });
    await expect(egress.fetch(request)).rejects.toMatchObject({ code: "approval-required" });
    expect([sent, told]).toEqual([[], []]);
  });
});

describe("a host that is looked up", () => {
  test.each<[addresses: string[], code: string | undefined]>([
    [["93.184.215.14"], undefined],
    [["93.184.215.14", "127.0.0.1"], "egress-refused"],
    [["::1"], "egress-refused"],
    [["::ffff:10.0.0.1"], "egress-refused"],
    [["nonsense"], "egress-refused"],
    [[], "fetch-failed"],
  ])("at %j: %s", async (addresses, code) => {
    const { egress, sent } = withInternet(() => new Response(), { resolve: async () => addresses });
    const outcome = await egress.fetch(ask("http://localtest.example/")).catch((error: unknown) => error);
    expect(outcome).toMatchObject(code === undefined ? { status: 200 } : { code });
    expect(sent).toHaveLength(code === undefined ? 1 : 0);
  });

  test("is looked up at each redirect", async () => {
    const resolve = async (host: string): Promise<string[]> => [host === "rebound.example" ? "10.0.0.1" : "1.1.1.1"];
    const { egress, sent } = withInternet(() => redirect("http://rebound.example/"), { resolve });
    await expect(egress.fetch(ask("http://x.example/"))).rejects.toMatchObject({
      code: "egress-refused",
      data: { url: "http://rebound.example/", reason: expect.stringContaining("10.0.0.1") },
    });
    expect(sent).toHaveLength(1);
  });

  test("and cannot be, is not reached", async () => {
    const resolve = (): Promise<string[]> => Promise.reject(new Error("ESERVFAIL"));
    const { egress } = withInternet(() => new Response(), { resolve });
    await expect(egress.fetch(ask("http://x.example/"))).rejects.toMatchObject({ code: "fetch-failed" });
  });
});

test.each(["Host", "Content-Length", "Transfer-Encoding", "CF-Connecting-IP", "X-Forwarded-For", "bad header"])(
  "the header %s cannot be set",
  async (name) => {
    const { egress, sent } = withInternet(() => new Response());
    const request = ask("https://example.com", { headers: { [name]: "x" } });
    await expect(egress.fetch(request)).rejects.toMatchObject({ code: "egress-refused" });
    expect(sent).toEqual([]);
  },
);

describe("a body", () => {
  const endless = (onCancel: () => void): Response =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(100)), cancel: onCancel }),
    );

  test("without end is given up at the limit", async () => {
    let cancelled = false;
    const { egress } = withInternet(() => endless(() => (cancelled = true)));
    const { body } = await egress.fetch(ask("https://example.com", { maxBytes: 1050 }));
    let size = 0;
    const read = async (): Promise<void> => {
      for await (const piece of body) size += piece.byteLength;
    };
    await expect(read()).rejects.toMatchObject({ code: "response-too-large" });
    expect(size).toBe(1000);
    expect(cancelled).toBe(true);
  });

  test("that nobody reads gives its connection up", async () => {
    let cancelled = false;
    const { egress } = withInternet(() => endless(() => (cancelled = true)));
    const { body } = await egress.fetch(ask("https://example.com"));
    await body[Symbol.asyncIterator]().return?.();
    expect(cancelled).toBe(true);
  });

  const stuck = (): Response => new Response(new ReadableStream({}));

  test("that does not come ends with the time, and with the abort", async () => {
    const { egress } = withInternet(stuck);
    const late = await egress.fetch(ask("https://example.com", { timeout: 20 }));
    await expect(late.body[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "timeout" });
    const abort = new AbortController();
    const stopped = await egress.fetch(ask("https://example.com", { signal: abort.signal }));
    const next = stopped.body[Symbol.asyncIterator]().next();
    abort.abort(new Error("stopped"));
    await expect(next).rejects.toThrow("stopped");
  });

  test("that breaks off is no complete body", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    const { egress } = withInternet(() => new Response(broken));
    const { body } = await egress.fetch(ask("https://example.com"));
    await expect(body[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "fetch-failed" });
  });
});
