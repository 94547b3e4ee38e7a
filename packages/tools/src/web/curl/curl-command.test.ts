import type { Executor, Gate } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { recordingExecutor } from "../../with-recording-executor.ts";
import { type TestTools, withTools } from "../../with-tools.ts";
import { createEgress } from "../egress.ts";

interface Web {
  readonly gate?: Gate;
  readonly executor?: Executor;
  readonly order?: string[];
}

/** A shell in an internet that answers with what it was sent. */
function withWeb<T>(run: (test: TestTools) => Promise<T>, { gate, executor, order = [] }: Web = {}): Promise<T> {
  const open: Gate = gate ?? { require: () => {} };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    order.push(`sent ${url}`);
    const body = await new Request(url, init).text();
    return new Response(url.endsWith("/json") ? '{"name":"x"}\n' : `${init.method} ${url} ${body}\n`);
  };
  const ports = {
    gate: open,
    egress: createEgress({ fetch, gate: open }),
    onEffect: (target: string, kind?: string) => void order.push(`effect ${kind} ${target}`),
    ...(executor ? { executors: [executor] } : {}),
  };
  return withTools({ "/in.txt": "data", "/run.sh": "c=node; $c x\n" }, run, ports);
}

describe("curl and wget in bash", () => {
  test.each([
    ["curl -s https://x.example/json | jq -r .name", "x"],
    ["curl -sS https://x.example/a -d @in.txt", "POST https://x.example/a data"],
    ["echo piped | curl -s --data-binary @- https://x.example/a", "POST https://x.example/a piped"],
    ["code=$(curl -s -o /dev/null -w '%{http_code}' https://x.example/a); echo \"got $code\"", "got 200"],
    ["wget -qO- https://x.example/a", "GET https://x.example/a"],
    ["for n in 1 2; do curl -s https://x.example/$n; done", "GET https://x.example/1 \nGET https://x.example/2"],
    ["curl -s https://x.example/a > out.txt; cat out.txt", "GET https://x.example/a"],
    ["curl -s ftp://x.example/ || echo failed", "failed"],
    ["echo https://x.example/a | xargs curl -s", "GET https://x.example/a"],
  ])("%s", (command, text) =>
    withWeb(async ({ call }) => expect((await call("bash", { command })).text.trim()).toBe(text)),
  );

  test("save files in the tree", () =>
    withWeb(async ({ call, fs }) => {
      await call("bash", {
        command: "curl -so sub/a.txt --create-dirs https://x.example/a; cd sub; wget -q https://x.example/b",
      });
      expect(await fs.readFile("/sub/a.txt")).toBe("GET https://x.example/a \n");
      expect(await fs.readFile("/sub/b")).toBe("GET https://x.example/b \n");
    }));

  test("tell an effect before each request", () => {
    const order: string[] = [];
    return withWeb(
      async ({ call }) => {
        await call("bash", { command: "curl -s https://x.example/a; curl -s http://10.0.0.1/" });
        expect(order).toEqual(["effect network GET https://x.example/a", "sent https://x.example/a"]);
      },
      { order },
    );
  });

  test("let the question for an approval end the call, before anything was sent", () => {
    const order: string[] = [];
    const gate: Gate = {
      require: ({ permission, detail }) => {
        throw new TenrecError("approval-required", { permission, detail });
      },
    };
    return withWeb(
      async ({ call }) => {
        const input = { command: "echo x > x.txt; curl -s https://x.example/a || true; echo y > y.txt" };
        await expect(call("bash", input)).rejects.toMatchObject({
          code: "approval-required",
          data: { detail: "GET https://x.example/a" },
        });
        expect(order).toEqual([]);
      },
      { gate, order },
    );
  });

  test("a line that sent something does not start again elsewhere", () => {
    const executor = recordingExecutor();
    const { ran } = executor;
    return withWeb(
      async ({ call }) => {
        const { text } = await call("bash", { command: "curl -s -d x https://x.example/a; sh run.sh" });
        expect(ran).toEqual([]);
        expect(text).toContain("[node was called in a way not seen beforehand");
        await call("bash", { command: "sh run.sh" });
        expect(ran).toEqual(["sh run.sh"]);
      },
      { executor },
    );
  });
});
