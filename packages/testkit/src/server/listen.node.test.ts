import { describe, expect, test } from "vitest";
import { modelServer } from "../model-server.ts";
import { streamOf } from "../script/stream-of.ts";
import type { Listening } from "./listen.ts";
import { listen } from "./listen.ts";

async function withServer(
  fetch: (request: Request) => Promise<Response>,
  run: (listening: Listening) => Promise<void>,
): Promise<void> {
  const listening = await listen({ fetch });
  try {
    await run(listening);
  } finally {
    await listening.close();
  }
}

describe("listen", () => {
  test("passes on method, path, headers and body, and the answer's status and headers", async () => {
    const echo = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      const text = [request.method, pathname + search, request.headers.get("x-a"), await request.text()].join(" ");
      return new Response(text, { status: 201, headers: { "x-b": "2" } });
    };
    await withServer(echo, async ({ url }) => {
      const response = await fetch(`${url}/a?b=c`, { method: "PUT", headers: { "x-a": "1" }, body: "body" });
      expect(await response.text()).toBe("PUT /a?b=c 1 body");
      expect([response.status, response.headers.get("x-b")]).toEqual([201, "2"]);
    });
  });

  test("streams: the first piece arrives before the last is made", async () => {
    const { promise: seen, resolve: saw } = Promise.withResolvers<void>();
    const slow = async (): Promise<Response> => {
      const pieces = async function* (): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode("one");
        await seen;
        yield new TextEncoder().encode("two");
      };
      return new Response(streamOf(pieces(), () => {}));
    };
    await withServer(slow, async ({ url }) => {
      const texts: string[] = [];
      for await (const bytes of (await fetch(url)).body ?? []) {
        texts.push(new TextDecoder().decode(bytes));
        saw();
      }
      expect(texts).toEqual(["one", "two"]);
    });
  });

  test("a client that goes away aborts the request, also in the middle of a script's delay", async () => {
    const { promise: aborted, resolve } = Promise.withResolvers<string>();
    const server = modelServer({ model: "a", steps: [{ say: [{ text: "one" }, { delay: 60_000 }, { text: "two" }] }] });
    const watched = (request: Request): Promise<Response> => {
      request.signal.addEventListener("abort", () => resolve("aborted"));
      return server.fetch(request);
    };
    await withServer(watched, async ({ url }) => {
      const stop = new AbortController();
      const body = JSON.stringify({ model: "a", stream: true, messages: [{ role: "user", content: "hi" }] });
      const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", body, signal: stop.signal });
      await response.body?.getReader().read();
      stop.abort();
      await expect(aborted).resolves.toBe("aborted");
    });
  });

  test("a body that fails breaks the connection, after what came before it", async () => {
    const failing = async (): Promise<Response> => {
      const pieces = async function* (): AsyncGenerator<Uint8Array> {
        yield new TextEncoder().encode("one");
        throw new Error("no more");
      };
      return new Response(streamOf(pieces(), () => {}));
    };
    await withServer(failing, async ({ url }) => {
      const reader = (await fetch(url)).body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
      await expect(reader?.read()).rejects.toThrow("terminated");
    });
  });

  test("a handler that rejects closes the connection without an answer", async () => {
    await withServer(
      () => Promise.reject(new Error("no")),
      async ({ url }) => {
        await expect(fetch(url)).rejects.toThrow("fetch failed");
      },
    );
  });

  test("close ends open connections, and may be called twice", async () => {
    const listening = await listen({ fetch: () => new Promise<Response>(() => {}) });
    const hanging = fetch(listening.url).catch(() => "ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listening.close();
    await listening.close();
    expect(await hanging).toBe("ended");
  });

  test("takes the port that it is given, and says so when that is taken", async () => {
    await withServer(
      async () => new Response(),
      async ({ url }) => {
        const port = Number(new URL(url).port);
        await expect(listen({ fetch: async () => new Response() }, { port })).rejects.toThrow("EADDRINUSE");
      },
    );
  });
});
