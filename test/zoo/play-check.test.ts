import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Check } from "./check.ts";
import { compareOutcomes } from "./compare-outcomes.ts";
import type { Host } from "./host.ts";
import { playCheck } from "./play-check.ts";

const open: Host[] = [];

async function hostOf(name: string, answer: RequestListener): Promise<Host> {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const host = { name, url, socketUrl: url, cookies: new Map<string, string>(), stop };
  open.push(host);
  return host;
}

afterEach(async () => {
  for (const host of open.splice(0)) await host.stop();
});

async function problemsOf(check: Check, ...answers: readonly RequestListener[]): Promise<string[]> {
  const hosts = await Promise.all(answers.map((answer, index) => hostOf(index === 0 ? "first" : "second", answer)));
  const outcomes = hosts.map(async (host) => ({ host: host.name, outcome: await playCheck(host, check) }));
  return compareOutcomes(await Promise.all(outcomes));
}

const says =
  (status: number, text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

describe("what is compared", () => {
  test.each<[title: string, check: Check, first: RequestListener, second: RequestListener, problems: string[]]>([
    ["the same", { ask: "/", status: 200, text: "a" }, says(200, "a"), says(200, "a"), []],
    [
      "another body",
      { ask: "/", status: 200 },
      says(200, "a"),
      says(200, "b"),
      ["only in first: a", "only in second: b"],
    ],
    [
      "a header that nobody named",
      { ask: "/", status: 200 },
      says(200, "", { "x-a": "1" }),
      says(200, ""),
      ["only in first: x-a: 1"],
    ],
    [
      "both wrong in the same way",
      { ask: "/", status: 200, text: /x/ },
      says(500, "a"),
      says(500, "a"),
      [
        'first: status 500 is not 200: "a"',
        'first: body "a" is not /x/',
        'second: status 500 is not 200: "a"',
        'second: body "a" is not /x/',
      ],
    ],
    [
      "a header that must not be there",
      { ask: "/", status: 200, gives: { "x-a": null } },
      says(200, "", { "x-a": "1" }),
      says(200, "", { "x-a": "1" }),
      ['first: x-a: "1" is not "(absent)"', 'second: x-a: "1" is not "(absent)"'],
    ],
    ["what varies", { ask: "/", status: 200, varies: /\d+/ }, says(200, "n 1"), says(200, "n 23"), []],
    ["the name of the host", { ask: "/", status: 200 }, says(200, "a"), says(200, "a"), []],
  ])("%s", async (_, check, first, second, problems) => {
    expect(await problemsOf(check, first, second)).toEqual(problems);
  });

  test("each host's own address counts as the same", async () => {
    const own: RequestListener = ({ headers }, response) => void response.end(`at http://${headers.host}/x`);
    expect(await problemsOf({ ask: "/", status: 200, text: "at {origin}/x" }, own, own)).toEqual([]);
  });
});

test("a request is as the check says", async () => {
  const seen: unknown[] = [];
  const take: RequestListener = (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      seen.push([request.method, request.url, request.headers["content-type"], request.headers["x-a"], body]);
      response.end();
    });
  };
  const ask = async (check: Check): Promise<void> => expect(await problemsOf(check, take)).toEqual([]);
  await ask({ ask: "POST /a?b", form: { c: "d e" }, headers: { "x-a": "1" }, status: 200 });
  await ask({ ask: "PUT /", json: [1], status: 200 });
  await ask({ ask: "/plain", status: 200 });
  expect(seen).toEqual([
    ["POST", "/a?b", "application/x-www-form-urlencoded;charset=UTF-8", "1", "c=d+e"],
    ["PUT", "/", "application/json", undefined, "[1]"],
    ["GET", "/plain", undefined, undefined, ""],
  ]);
});

test("what happens a moment later is waited for", async () => {
  let asked = 0;
  const counts: RequestListener = (_, response) => void response.end(`${(asked += 1)}`);
  expect(await problemsOf({ ask: "/", status: 200, text: "3", eventually: true }, counts)).toEqual([]);
});

test("a host that answers nothing is a problem, not an exception", async () => {
  const [problem] = await problemsOf({ ask: "/", status: 200 }, (request) => void request.socket.destroy());
  expect(problem).toMatch(/^first: failed: /);
});

test("a stream is read while it is sent", async () => {
  const listeners = new Set<{ write(text: string): void; end(): void }>();
  const feed: RequestListener = (request, response) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("hello ");
      listeners.add(response);
      return;
    }
    for (const listener of listeners) {
      listener.write("pub");
      listener.write("lished");
      listener.end();
    }
    response.end();
  };
  const steps = [
    { stream: "a", path: "/events" },
    { receive: "a", data: "hello " },
    { ask: "/publish", status: 200 },
    { receive: "a", data: "published" },
    { closed: "a" },
  ] as const;
  expect(await problemsOf({ name: "x", steps }, feed)).toEqual([]);
});
