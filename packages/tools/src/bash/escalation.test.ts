import type { ExecEvent, ExecOptions, Executor } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it } from "vitest";
import { HEAVY_COMMANDS } from "./heavy-commands.ts";
import { heavyCommandsIn } from "./heavy-commands-in.ts";
import { withTools } from "../with-tools.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Runs nothing; writes a file to show that it works on the same tree. */
function fakeExecutor(code = 0, accepts = true): Executor & { readonly ran: string[]; readonly seen: ExecOptions[] } {
  const ran: string[] = [];
  const seen: ExecOptions[] = [];
  return {
    name: "fake",
    ran,
    seen,
    accepts: () => accepts,
    async *exec(command: string, options: ExecOptions): AsyncGenerator<ExecEvent> {
      ran.push(command);
      seen.push(options);
      yield { type: "stdout", bytes: bytes("té").subarray(0, 2) };
      yield { type: "stderr", bytes: bytes("warning\n") };
      yield { type: "stdout", bytes: bytes("té").subarray(2) };
      await options.fs.writeFile("/built.txt", "by the executor");
      yield { type: "exit", code };
    },
  };
}

describe("bash: which commands are heavy", () => {
  it.each<[string, string[]]>([
    ["npm test", ["npm"]],
    ["cd app && FOO=1 npx tsc --noEmit | head", ["npx"]],
    ["./node_modules/.bin/vitest run", ["vitest"]],
    ["echo npm node", []],
    ["cat node.txt; grep -rn npm .", []],
    ["x=$(node -p 1); echo $x", ["node"]],
    ["find . -name '*.ts' -exec tsc {} \\;", ["tsc"]],
    ["find node -name x", []],
    ["ls | xargs -n 1 node", ["node"]],
    ["ls | xargs grep node", []],
    ["timeout 10 npm t", ["npm"]],
    ["env CI=1 pnpm build", ["pnpm"]],
    ["command -v node", []],
    ["which npm", []],
    ["bash -c 'cd a; python3 x.py'", ["python3"]],
    ['eval "git status"', ["git"]],
    ["bash ./build.sh", []],
    ["node() { echo mine; }; node", []],
    ["if true; then make; fi", ["make"]],
    ["f() { cargo build; }; f", ["cargo"]],
    ["cat <(curl -s x)", ["curl"]],
    ["cat <<EOF\nnpm $(docker ps)\nEOF", ["docker"]],
    ["'npm' test; \"go\" build", ["npm", "go"]],
    ["if then", []],
  ])("%s", (command, names) => {
    expect(heavyCommandsIn(command, HEAVY_COMMANDS)).toEqual(names);
  });
});

describe("bash: with an executor", () => {
  it("runs the whole line there, after the gate, and reports as it comes", () => {
    const executor = fakeExecutor(2);
    const asked: unknown[] = [];
    const heard: [string, string][] = [];
    return withTools(
      { "/a.txt": "hi\n" },
      async ({ call, fs }) => {
        const output = await call("bash", { command: "echo x > x.txt && npm test", timeout: 90 });
        expect(output).toEqual({
          text: "té\n[stderr]\nwarning\n[exit code 2]",
          data: { exitCode: 2, executor: "fake" },
        });
        expect(executor.ran).toEqual(["echo x > x.txt && npm test"]);
        expect(executor.seen[0]).toMatchObject({ timeout: 90_000, operationId: "operation-1" });
        expect(asked).toEqual([{ permission: "execute", detail: "echo x > x.txt && npm test" }]);
        expect(heard).toEqual([
          ["stdout", "t"],
          ["stderr", "warning\n"],
          ["stdout", "é"],
        ]);
        expect(await fs.readFile("/built.txt")).toBe("by the executor");
        expect(await fs.exists("/x.txt")).toBe(false);
      },
      {
        executors: [executor],
        gate: { require: (request) => void asked.push(request) },
        onOutput: (stream, text) => void heard.push([stream, text]),
      },
    );
  });

  it("does not trouble it for a line that the isolate can run", () => {
    const executor = fakeExecutor();
    return withTools(
      { "/a.txt": "hi\n" },
      async ({ call }) => {
        expect((await call("bash", { command: "cat a.txt # npm" })).text).toBe("hi");
        expect(executor.ran).toEqual([]);
      },
      { executors: [executor] },
    );
  });

  it("goes there when a heavy command turns up only while running", () => {
    const executor = fakeExecutor();
    return withTools(
      { "/run.sh": "c=node; $c index.js\n" },
      async ({ call }) => {
        await call("bash", { command: "sh run.sh || true" });
        expect(executor.ran).toEqual(["sh run.sh || true"]);
      },
      { executors: [executor] },
    );
  });

  it("does not start again elsewhere once files were changed", () => {
    const executor = fakeExecutor();
    return withTools(
      { "/run.sh": "c=node; $c index.js\n" },
      async ({ call }) => {
        const output = await call("bash", { command: "echo x >> log; sh run.sh" });
        expect(executor.ran).toEqual([]);
        expect(output.text).toContain("[node was called in a way not seen beforehand; call it by its name");
        expect(output.text).toContain("[exit code 127]");
      },
      { executors: [executor] },
    );
  });

  it("lets an approval pass through, and tells a denial", () =>
    withTools({}, async ({ again }) => {
      const refuse = (code: "approval-required" | "permission-denied") =>
        again({
          executors: [fakeExecutor()],
          gate: {
            require: ({ permission, detail }) => {
              throw new TenrecError(code, { permission, detail });
            },
          },
        });
      const input = { command: "npm test" };
      await expect(refuse("approval-required").call("bash", input)).rejects.toMatchObject({
        code: "approval-required",
      });
      const denied = await refuse("permission-denied").call("bash", input);
      expect(denied.isError).toBe(true);
      expect(denied.text).toMatch(/Not permitted \(execute\): npm test\nDo not try it another way/);
    }));

  it("tells what an executor had printed at its timeout", () => {
    const executor: Executor = {
      name: "slow",
      accepts: () => true,
      async *exec(_command, { timeout }): AsyncGenerator<ExecEvent> {
        yield { type: "stdout", bytes: bytes("compiling\n") };
        throw new TenrecError("timeout", { what: "npm test", ms: timeout });
      },
    };
    return withTools(
      {},
      async ({ call }) => {
        const output = await call("bash", { command: "npm test" });
        expect(output.isError).toBe(true);
        expect(output.text).toMatch(/^compiling\n\[stopped after 30 s/);
      },
      { executors: [executor] },
    );
  });
});

describe("bash: without an executor", () => {
  it.each([
    ["node x.js", ["node"]],
    ["npm ci 2>/dev/null || true", ["npm"]],
    ["c=python3; $c x.py > out.txt 2>&1; true", ["python3"]],
    ["echo a | xargs -n 1 npx tsc; tsc", ["npx", "tsc"]],
    ["tar cJf a.txz .", ["tar"]],
  ])("says what is missing in %s, whatever the shell hides", (command, names) =>
    withTools({}, async ({ call }) => {
      const { text } = await call("bash", { command });
      expect(text).toContain(`[${names.join(", ")} need`);
      expect(text).toContain("executor");
    }),
  );

  it("ends with 127 where the command's own code is what counts", () =>
    withTools({}, async ({ call }) => {
      const { text } = await call("bash", { command: "git status" });
      expect(text).toMatch(/^bash: git: command not found\n\[git needs an executor .*\]\n\[exit code 127\]$/);
    }));

  it("says so when there is one that refuses the line", () =>
    withTools(
      {},
      async ({ call }) => {
        expect((await call("bash", { command: "npm i" })).text).toContain("fake would not run this command line");
      },
      { executors: [fakeExecutor(0, false)] },
    ));
});
