import type { ToolOutput } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = {
  "/a.txt": "hi\n",
  "/src/x.ts": "export const x = 1;\n",
  "/src/y.ts": "export const y = 2;\n",
  "/bytes.bin": new Uint8Array([0, 255, 254, 10]),
};

const run = (command: string, timeout?: number): Promise<ToolOutput> =>
  withTools(files, ({ call }) => call("bash", timeout === undefined ? { command } : { command, timeout }));

describe("bash: what a model reads", () => {
  it.each([
    ["its output", "pwd; cat a.txt", "/workspace\nhi"],
    ["stderr alone", "cat missing.txt; true", "cat: missing.txt: No such file or directory"],
    ["both", "echo out; echo err >&2", "out\n[stderr]\nerr"],
    ["an exit code", "echo x; exit 3", "x\n[exit code 3]"],
    ["that there is no output", "true", "(no output, exit code 0)"],
    ["an exit code without output", "false", "[exit code 1]"],
    ["a syntax error", "if true", /syntax error.*\n\[exit code 2\]/],
    [
      "paths as the other tools take them",
      "ls -d /workspace/src; find . -name '*.ts' | sort",
      "/workspace/src\n./src/x.ts\n./src/y.ts",
    ],
    ["heredocs as they are", "cat > h.ts <<'EOF'\n  const a = `$x`;\nEOF\ncat h.ts", "  const a = `$x`;"],
    ["an unknown command", "frobnicate", "bash: frobnicate: command not found\n[exit code 127]"],
  ])("tells %s", async (_name, command, text) => {
    const output = await run(command);
    if (typeof text === "string") expect(output.text).toBe(text);
    else expect(output.text).toMatch(text);
    expect(output.isError).toBeUndefined();
  });

  it("saves what is too long, and shows its beginning and its end", () =>
    withTools(
      { "/long.txt": Array.from({ length: 9000 }, (_, n) => `line ${n + 1}\n`).join("") },
      async ({ call, saved }) => {
        const { text } = await call("bash", { command: "cat long.txt" });
        expect(text.split("\n").length).toBeLessThanOrEqual(2000);
        expect(text.startsWith("line 1\n")).toBe(true);
        expect(text.endsWith("line 9000")).toBe(true);
        const [, left, path, offset] = /\[(\d+) of 9000 lines left out; read path="(.+)" offset=(\d+)/.exec(text) ?? [];
        expect(saved.get(path ?? "")).toContain("line 4500\n");
        const more = await call("read", { path, offset: Number(offset), limit: 1 });
        expect(more.text).toContain(`${offset}\tline ${offset}`);
        expect(Number(left)).toBeGreaterThan(7000);
      },
    ));
});

describe("bash: the tree", () => {
  it.each([
    ["write", "echo a > new.txt; echo b >> new.txt", { "/new.txt": "a\nb\n" }],
    ["sed -i", "sed -i 's/hi/ho/' a.txt", { "/a.txt": "ho\n" }],
    ["mv into a new folder", "mkdir -p d/e && mv a.txt d/e/b.txt", { "/a.txt": null, "/d/e/b.txt": "hi\n" }],
    ["cp -r", "cp -r src lib", { "/lib/x.ts": "export const x = 1;\n" }],
    ["rm -rf", "rm -rf src", { "/src": null }],
    ["from /tmp", "echo t > /tmp/t && cp /tmp/t t.txt", { "/t.txt": "t\n" }],
    ["a script file", "echo 'echo $1 > s.out' > s.sh; chmod +x s.sh; ./s.sh one", { "/s.out": "one\n" }],
    [
      "tee and a loop",
      "for f in src/*.ts; do cat $f; done | tee all.txt > /dev/null",
      { "/all.txt": "export const x = 1;\nexport const y = 2;\n" },
    ],
    ["touch", "touch a.txt empty", { "/a.txt": "hi\n", "/empty": "" }],
  ])("%s", (_name, command, expected) =>
    withTools(files, async ({ call, fs }) => {
      const output = await call("bash", { command });
      expect(output.text).toBe("(no output, exit code 0)");
      for (const [path, content] of Object.entries(expected)) {
        if (content === null) expect(await fs.exists(path)).toBe(false);
        else expect(await fs.readFile(path)).toBe(content);
      }
    }),
  );

  it("keeps bytes as they are", () =>
    withTools(files, async ({ call, fs }) => {
      await call("bash", { command: "cp bytes.bin /tmp/b; cat /tmp/b > copy.bin; cat bytes.bin >> copy.bin" });
      expect([...(await fs.readFileBytes("/copy.bin"))]).toEqual([0, 255, 254, 10, 0, 255, 254, 10]);
    }));

  it("makes links that work in the tree and in the shell", () =>
    withTools(files, async ({ call, fs }) => {
      const { text } = await call("bash", {
        command: "ln -s /workspace/a.txt src/l; cat src/l; readlink src/l; ln -s /etc/passwd p",
      });
      expect(text).toContain("hi\n../a.txt");
      expect(await fs.readFile("/src/l")).toBe("hi\n");
      expect(await fs.exists("/p")).toBe(false);
    }));

  it("forgets everything else between calls", () =>
    withTools(files, async ({ call }) => {
      await call("bash", { command: "echo x > /tmp/x; cd src; export A=1" });
      expect((await call("bash", { command: "ls /tmp; pwd; echo [$A]" })).text).toBe("/workspace\n[]");
    }));

  it("names a failure that a command takes for a missing file", () =>
    withTools(files, async ({ fs, again }) => {
      fs.readFileBytes = () => Promise.reject(new TenrecError("EIO", { path: "/a.txt", reason: "lost" }));
      const output = await again({ fs }).call("bash", { command: "cat a.txt" });
      expect(output.text).toContain("[Cannot read a.txt: lost\n");
    }));
});

describe("bash: a large file", () => {
  it("is refused by name, not loaded", () =>
    withTools({ "/huge.txt": new Uint8Array(17 * 1024 * 1024).fill(97) }, async ({ call }) => {
      const { text } = await call("bash", { command: "cat huge.txt | head -1" });
      expect(text).toContain("[File too large: huge.txt has 17825792 bytes");
    }));
});

describe("bash: files that are not kept", () => {
  const lost = /not kept; write below \/workspace\]/;
  it.each<[string, string, RegExp | undefined]>([
    ["in the home", "echo x > ~/notes.txt", /^\[\/home\/user\/notes.txt is outside \/workspace and was not kept/],
    ["at the top", "touch /a /b", /^\[\/a, \/b are outside \/workspace and were not kept/],
    ["in /tmp", "echo x > /tmp/x; mkdir /tmp/d; cp /tmp/x /tmp/d/", undefined],
    ["that are gone anyway", "echo x > /x; rm /x", undefined],
    ["that went nowhere", "echo x > /dev/null", undefined],
    ["that came to the workspace", "echo x > /x; mv /x kept.txt", undefined],
  ])("%s", async (_name, command, text) => {
    const output = await run(command);
    if (text) expect(output.text).toMatch(text);
    else expect(output.text).not.toMatch(lost);
  });

  it("tells no more than a few", async () => {
    expect((await run("for i in 1 2 3 4 5 6 7; do touch /f$i; done")).text).toContain("/f5 and 2 more are outside");
  });
});

describe("bash: what must end", () => {
  it.each([
    ["an endless loop", "while true; do :; done", /too many commands|iteration/],
    ["a fork bomb", ":(){ :|:& };:", /recursion depth/],
    ["a string that doubles", "x=a; while true; do x=$x$x; done", /exceeded/],
    ["an array that grows", "while true; do a+=(${a[@]} x x); done", /limit|too many/],
    ["a loop that counts", "while ((1)); do ((i++)); done", /too many/],
    ["loops in loops", "for i in {1..500}; do for j in {1..500}; do ((n++)); done; done", /too many/],
    ["functions of functions", "f() { g; }; g() { f; }; f", /recursion depth/],
    ["substitutions within", 'f() { echo "$(f)"; }; f', /too many|nesting|recursion|exceeded/],
    ["a text in a loop that doubles", 'x=a; for i in {1..40}; do x="$x$x"; done; echo ${#x}', /exceeded/],
    ["arguments that double", 'set -- a b; while true; do set -- "$@" "$@"; done', /too many words/],
    [
      "many long texts",
      `x=$(head -c 4000000 /dev/zero | tr '\\0' x); ${Array.from("abcdefghij", (name) => `${name}=$x`).join("; ")}`,
      /variables: size limit exceeded/,
    ],
    ["a replacement that grows", "x=$(printf 'a%.0s' {1..3000}); for i in {1..5}; do x=${x//a/$x}; done", /exceeded/],
    ["a hostile removal", "x=$(head -c 9000 /dev/zero | tr '\\0' a); echo ${x##*a*a*a*a*a*b} | wc -c", /^9001$/],
    ["endless output", "while true; do cat src/x.ts src/y.ts; done", /limit|too many/],
    ["brace expansion", "echo {1..1000}{1..1000}{1..1000} | wc -c", /limit|brace|exceed|^[0-9]+$/],
    ["a command that never stops printing", "yes | head -2", /^y\ny$/],
    ["a wide field", "printf '%1000000000d' 1", /limit exceeded/],
    ["a long range", "echo {1..1000000000}", /limit exceeded/],
    ["a sequence", "seq 1 1000000000 | tail -1", /more than the 5 MiB that are possible here/],
    ["a device without an end", "head -c 1G /dev/zero | wc -c", /never ends; at most \d+ bytes of it are possible/],
    ["lines of a device", "head /dev/zero", /never ends/],
    ["a byte list to its end", "cut -c1-1000000000000 a.txt", /^hi$/],
    ["an array through jq", "jq -n '[range(1000000000)] | length'", /limit exceeded/],
    ["a loop of sed that grows its line", "sed ':a;s/^/x/;ta' a.txt", /too much work at line 1/],
    ["a text that awk doubles", "awk 'BEGIN{x=\"a\"; while(1) x=x x}'", /limit exceeded/],
    ["substitutions in substitutions", "f() { $(f); }; f", /nesting limit/],
    ["a here-document that doubles", "x=aaaaaaaa; for i in {1..30}; do x=$(cat <<< $x$x); done", /exceeded/],
    ["a hostile pattern in [[", "[[ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac =~ ^(a+)+$ ]]; echo $?", /^1$/],
    [
      "a hostile pattern in sed",
      "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac\\n' | sed -E 's/^(a|aa)+$/x/'",
      /too many steps/,
    ],
    [
      "a hostile pattern in awk",
      "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac\\n' | awk '/^(a+)+$/'; echo done",
      /^done$/,
    ],
    ["a hostile glob", "x=$(printf 'a%.0s' {1..2000}); case $x in *a*a*a*a*a*a*a*b) echo y;; *) echo n;; esac", /^n$/],
    ["calls of calls", "yes | xargs -n1 echo | tail -1", /too many/],
    ["a file without end", "dd if=/dev/zero bs=1G count=4 of=x", /MiB that are possible here/],
    ["a file that is stretched", "truncate -s 10G x", /MiB that are possible here/],
    ["parentheses", `echo $(${"echo $(".repeat(300)}${")".repeat(300)})`, /nesting depth|syntax error/],
    ["an endless awk", "awk 'BEGIN { while (1) i++ }'", /limit|iteration/],
    ["a hostile pattern", "printf 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | grep -E '^(a+)+$x' ; echo done", /done/],
  ])("%s", async (_name, command, text) => {
    const output = await run(command, 60);
    expect(output.text).toMatch(text);
    expect(output.text).not.toContain("executionLimits");
    expect(output.text).not.toContain("stopped after");
  });

  it("a command that sleeps, at its timeout, with what it changed before", () =>
    withTools(files, async ({ call, fs }) => {
      const output = await call("bash", { command: "echo a > one; sleep 60; echo b > two", timeout: 1 });
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(/stopped after 1 s; file changes up to then are kept/);
      expect(await fs.exists("/one")).toBe(true);
      expect(await fs.exists("/two")).toBe(false);
    }));

  it("on abort, with the reason, and without a later write", () =>
    withTools(files, async ({ call, fs }) => {
      const stop = new AbortController();
      const running = call("bash", { command: "echo a > one; sleep 1; echo b > two" }, stop.signal);
      setTimeout(() => stop.abort(new Error("enough")), 100);
      await expect(running).rejects.toThrow("enough");
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect(await fs.exists("/two")).toBe(false);
    }));

  it("before it begins when it is aborted already", () =>
    withTools(files, async ({ call }) => {
      await expect(call("bash", { command: "echo" }, AbortSignal.abort(new Error("no")))).rejects.toThrow("no");
    }));

  it("a command that is at work, at its timeout, without a word of it", () =>
    withTools(files, async ({ call }) => {
      const output = await call("bash", { command: "echo a; awk 'BEGIN{while(1);}'", timeout: 1 });
      expect(output.text).toMatch(/^a\n\[stopped after 1 s; .*\]$/);
    }));

  it("a write that is on its way at the timeout, before the answer", () =>
    withTools(files, async ({ fs, again }) => {
      let landed = false;
      const { writeFileBytes } = fs;
      fs.writeFileBytes = async (path, content) => {
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await writeFileBytes.call(fs, path, content);
        landed = true;
      };
      const output = await again({ fs }).call("bash", {
        command: "echo late > late.txt; echo more > more.txt",
        timeout: 1,
      });
      expect(output.isError).toBe(true);
      expect(landed).toBe(true);
      expect(await fs.exists("/more.txt")).toBe(false);
    }));

  it("a command that goes on by itself, with its write refused", () =>
    withTools(files, async ({ fs, again }) => {
      const { readFileBytes } = fs;
      fs.readFileBytes = async (path) => {
        await new Promise((resolve) => setTimeout(resolve, 1300));
        return readFileBytes.call(fs, path);
      };
      await again({ fs }).call("bash", { command: "sed -i s/hi/ho/ a.txt", timeout: 1 });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await fs.readFile("/a.txt")).toBe("hi\n");
    }));
});

describe("bash: arguments", () => {
  it.each([
    [{ command: "true", timeout: 121 }, /timeout: .*120/],
    [{ command: "true", timeout: 0 }, /timeout: /],
    [{ command: "" }, /command: /],
    [{ script: "true" }, /command: expected string.*script.*Its fields: command, timeout/],
  ])("refuses %j", (input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("bash", input);
      expect(output.isError).toBe(true);
      expect(output.text).toMatch(text);
    }),
  );
});
