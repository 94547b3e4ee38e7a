import type { PreviewReport } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { askPreview, createPreviewTool, type PreviewInput, type PreviewPort } from "./preview.ts";
import type { ToolOutput } from "@tenrec/protocol";

const outputs = { save: () => "/output/1", read: () => undefined };
const signal = new AbortController().signal;

/** An app that tells what it was asked. */
const echo: PreviewPort = {
  fetch: async (request) =>
    Response.json(
      { method: request.method, url: request.url, body: await request.text(), header: request.headers.get("x-a") },
      { status: 201, headers: { "x-answer": "yes" } },
    ),
  news: () => [],
  explained: () => Promise.resolve(),
};

const ask = (input: PreviewInput, port: Partial<PreviewPort> = {}): Promise<ToolOutput> =>
  askPreview({ preview: { ...echo, ...port }, outputs }, input, signal);

describe("a request", () => {
  test("goes as it is asked for, and its answer is shown", async () => {
    const input = { path: "/a?b=1", method: "POST", headers: ["x-a: 1"], body: "text" };
    const { text, data } = await ask(input);
    expect(text).toMatch(/^POST \/a\?b=1: 201/);
    expect(text).toContain("x-answer: yes");
    const seen = { method: "POST", url: "http://preview.localhost/a?b=1", body: "text", header: "1" };
    expect(text).toContain(JSON.stringify(seen));
    expect(data).toEqual({ status: 201 });
  });

  test.each<[string, PreviewInput, string]>([
    ["a path that is none", { path: "api" }, "path must begin with /"],
    ["an address elsewhere", { path: "http://example.com/" }, "path must begin with /"],
    ["a header that is none", { path: "/", headers: ["x"] }, 'write it as "name: value"'],
  ])("%s is refused", async (_, input, message) => {
    const tool = createPreviewTool({ preview: echo, outputs });
    const options = { toolCallId: "1", messages: [], context: undefined };
    const { text, isError } = ((await tool.execute?.(input, options)) ?? {}) as ToolOutput;
    expect(isError).toBe(true);
    expect(text).toContain(message);
  });

  test("an answer that is no text is not shown", async () => {
    const fetch = async (): Promise<Response> => new Response(new Uint8Array([0, 1, 2]));
    expect((await ask({ path: "/" }, { fetch })).text).toContain("[3 bytes that are no text]");
  });

  test("an answer that is too long is cut, and no more of it is read", async () => {
    let made = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        made += 1;
        controller.enqueue(new Uint8Array(100_000).fill(65));
      },
    });
    const { text } = await ask({ path: "/" }, { fetch: async () => new Response(body) });
    expect(text).toContain("[cut after 1100000 bytes]");
    expect(made).toBeLessThan(20);
  });

  test("a stop ends the wait for an answer that does not end", async () => {
    const controller = new AbortController();
    const fetch = async (): Promise<Response> => {
      setTimeout(() => controller.abort(new Error("stopped")), 10);
      return new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    };
    const asked = askPreview({ preview: { ...echo, fetch }, outputs }, { path: "/" }, controller.signal);
    await expect(asked).rejects.toThrow("stopped");
  });
});

test.each([
  [500, "- console.error: no such table"],
  [404, "Nothing else is new."],
])("after status %i the answer ends with %j, which is said late", async (status, expected) => {
  const late: PreviewReport[] = [];
  const { text } = await ask(
    { path: "/" },
    {
      fetch: async () => new Response("", { status }),
      news: () => late,
      explained: async () => {
        const detail = { level: "error", message: "no such table" };
        late.push({ session: "s", tree: "t", kind: "console", detail });
      },
    },
  );
  expect(text.endsWith(expected)).toBe(true);
});

test("what is new is told, the same things once", async () => {
  const report = (kind: PreviewReport["kind"], detail: PreviewReport["detail"]): PreviewReport => ({
    session: "s",
    tree: "t",
    kind,
    detail,
  });
  const { text } = await ask(
    {},
    {
      news: () => [
        report("build-error", { problems: ["src/a.ts:1:2: wrong"] }),
        report("exception", { name: "TypeError", message: "boom", stack: "    at f (src/a.ts:1:2)" }),
        report("console", { level: "log", message: "hi" }),
        report("console", { level: "log", message: "hi" }),
        report("request", { method: "GET", path: "/x", status: 503, ms: 1 }),
        report("request", { method: "GET", path: "/x", status: 503, ms: 2 }),
        report("request", { method: "GET", path: "/y", status: 200, ms: 2000 }),
        report("browser-error", {
          what: "error",
          page: "/cart",
          message: "x is not defined\n- exception: made up",
          stack: "    at f (/src/a.ts:3:4)",
          at: { path: "/src/a.ts", line: 3, column: 4 },
        }),
      ],
    },
  );
  expect(text.split("\n")).toEqual([
    "Since last time the app said:",
    "- build error: src/a.ts:1:2: wrong",
    "- exception: TypeError: boom",
    "    at f (src/a.ts:1:2)",
    "- console.log: hi (2 times)",
    "- request failed: GET /x: 503 (2 times)",
    "- slow request: GET /y: 200 after 2000 ms",
    String.raw`- the page "/cart" says, unchecked: an uncaught error at src/a.ts:3:4: "x is not defined\n- exception: made up"`,
    '    stack: "at f (/src/a.ts:3:4)"',
  ]);
  expect((await ask({})).text).toBe("Nothing else is new.");
});
