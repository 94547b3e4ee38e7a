import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = {
  "/.gitignore": "dist/\n",
  "/a.ts": "import x from 'y';\nconst foo = 1;\n\n// Foo\nfoo(bar);\n",
  "/src/b.ts": "foo();\nbar();\n",
  "/src/c.md": "foo in text\n",
  "/dist/out.js": "foo ignored\n",
  "/.env": "foo=hidden\n",
  "/x.bin": new Uint8Array([102, 111, 111, 0, 10]),
};

const RG_HELP = "\nerror: a group is not closed; a literal `(` is `\\(`";

describe("rg and grep in the shell", () => {
  it.each([
    ["rg foo", "a.ts:const foo = 1;\na.ts:foo(bar);\nsrc/b.ts:foo();\nsrc/c.md:foo in text"],
    ["rg -n foo src", "src/b.ts:1:foo();\nsrc/c.md:1:foo in text"],
    ["cd src && rg -l foo .", "./b.ts\n./c.md"],
    ["rg -c foo /workspace/src", "/workspace/src/b.ts:1\n/workspace/src/c.md:1"],
    ["rg -uu -l foo", ".env\na.ts\ndist/out.js\nsrc/b.ts\nsrc/c.md"],
    ["cat a.ts | rg -n foo", "2:const foo = 1;\n5:foo(bar);"],
    ["rg -o -r '$2-$1' '(f)(oo)' src/b.ts", "oo-f"],
    ["rg --files -g '*.md'", "src/c.md"],
    ["rg -P 'foo(?=\\()' src", "src/b.ts:foo();"],
    ["rg nothing", "[exit code 1]"],
    ["rg 'foo('", `rg: regex parse error:\n    (?:foo()${RG_HELP}\n[exit code 2]`],
    ["rg --stats foo", "rg: --stats is not supported here\n[exit code 2]"],
    ["rg foo none", "rg: none: IO error for operation on none: No such file or directory (os error 2)\n[exit code 2]"],
    ["grep -rn foo --include '*.ts' .", "./a.ts:2:const foo = 1;\n./a.ts:5:foo(bar);\n./src/b.ts:1:foo();"],
    ["grep -rl foo", ".env\na.ts\ndist/out.js\nsrc/b.ts\nsrc/c.md\nx.bin"],
    ["grep -rIl foo --exclude-dir=dist", ".env\na.ts\nsrc/b.ts\nsrc/c.md"],
    ["grep -rc foo src dist", "src/b.ts:1\nsrc/c.md:1\ndist/out.js:1"],
    ["grep -c foo src/*", "src/b.ts:1\nsrc/c.md:1"],
    ["grep foo x.bin", "grep: x.bin: binary file matches"],
    ["cat a.ts | grep -v foo | grep -in FOO", "3:// Foo"],
    ["echo 'ab ab' | grep -o '\\(a\\)b'", "ab\nab"],
    ["echo 'x=12' | grep -oP '(?<==)\\d+'", "12"],
    ["echo 'abab' | grep -E '^(ab)\\1$'", "abab"],
    ["echo foo | egrep 'x|foo'; echo 'a|b' | fgrep 'a|b'", "foo\na|b"],
    ["grep -q foo a.ts && echo yes", "yes"],
    ["grep foo src", "grep: src: Is a directory\n[exit code 2]"],
    ["grep -E 'foo(' a.ts", "grep: Unmatched ( or \\(\n[exit code 2]"],
    ["grep '[[:foo:]]' a.ts", "grep: Invalid character class name\n[exit code 2]"],
    ["grep -P '(?R)' a.ts", "grep: there is no group (?R\n[exit code 2]"],
    ["grep", "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n[exit code 2]"],
    ["grep -B1 -n bar src/b.ts", "1-foo();\n2:bar();"],
    ["printf 'one\\ntwo\\n' > /tmp/t; grep -Hn two /tmp/t; rg one /tmp", "/tmp/t:2:two\n/tmp/t:one"],
    ["printf 'a\\0b\\0' | grep -z b | base64", "YgA="],
    ["find . -name '*.md' | xargs grep -H foo", "./src/c.md:foo in text"],
    ["grep -rlZ bar src | xargs -0 basename", "b.ts"],
    ["echo café | grep -o é | wc -c", "3"],
  ])("%s", (command, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("bash", { command })).text.replaceAll(/^ +(\d)/gm, "$1")).toBe(text);
    }),
  );

  it("finds what the same command wrote", () =>
    withTools(files, async ({ call }) => {
      const command = "echo needle > new.txt; rg -l needle; grep -rl needle .";
      expect((await call("bash", { command })).text).toBe("new.txt\n./new.txt");
    }));

  it.each(["rg -N ''", "grep ''"])("stops %s when there is too much to print", (command) =>
    withTools(
      { "/a": `${"a".repeat(1023)}\n`.repeat(1024 * 3), "/b": `${"b".repeat(1023)}\n`.repeat(1024 * 2) },
      async ({ call }) => {
        const { text } = await call("bash", { command: `${command} a b | tail -c 5; echo on` });
        expect(text).toContain("there is too much to print; narrow the pattern or the paths");
      },
    ),
  );

  it("gives up on a pattern that would take for ever, and the shell goes on", () =>
    withTools({ "/a": `${"a".repeat(50)}\n` }, async ({ call }) => {
      const { text } = await call("bash", { command: "grep -P '^(a+)+(?=b)$' a; echo on" });
      expect(text).toMatch(/^on\n\[stderr\]\ngrep: .*: it takes too many steps on these lines/);
    }));
});
