import { describe, expect, test } from "vitest";
import { withTools, type Files } from "../../../with-tools.ts";

async function sed(command: string, files: Files = {}): Promise<string> {
  return withTools(files, async ({ call }) => String((await call("bash", { command })).text));
}

describe("what a script of sed says is wrong, and what it does then", () => {
  test.each([
    ["s/a/b", /char 5: unterminated `s' command/],
    ["k", /unknown command: `k'/],
    ["s/a/b/gz", /unknown option to `s'/],
    ["s/a/\\1/", /invalid reference \\1 on `s' command's RHS/],
    ["s/\\(a/b/", /Unmatched \( or \\\(/],
    ["b nowhere", /can't find label for jump to `nowhere'/],
    ["{p", /unmatched `\{'/],
    ["p}", /unexpected `}'/],
    ["y/ab/c/", /strings for `y' command are different lengths/],
    ["2!!d", /multiple `!'s/],
    ["0p", /invalid usage of line address 0/],
    ["s//x/", /no previous regular expression/],
    ["s/a/b/e", /not supported here; run the command with \$\( \) or xargs/],
    ["1e ls", /not supported here; run the command with \$\( \) or xargs/],
  ])("%s", async (script, problem) => {
    const text = await sed(`sed -i '${script}' a.txt; cat a.txt`, { "/a.txt": "a\n" });
    expect(text).toMatch(problem);
    expect(text).toMatch(/^a$/m);
  });

  test("a file that is not there does not keep it from the others", async () => {
    const text = await sed("sed -i 's/a/b/' nope.txt a.txt; echo $?; cat a.txt", { "/a.txt": "a\n" });
    expect(text).toBe("2\nb\n[stderr]\nsed: can't read nope.txt: No such file or directory");
  });
});

describe("what has no end", () => {
  test.each([
    ["a loop", "echo a | sed ':a;ba'"],
    ["a loop over a line that grows", "echo a | sed ':a;s/a/aa/;ta'"],
    ["a hold space that grows", "yes | head -n 100 | sed ':a;H;G;H;ba'"],
  ])("%s ends, and says where", async (_, command) => {
    expect(await sed(command)).toMatch(/sed: (too much work at line 1|more than the 16 MiB)/);
  });

  test("a pattern that takes too long ends, and says what to do", async () => {
    const text = await sed("sed -E 's/(a*)*c/x/' a.txt", { "/a.txt": `${"a".repeat(60)}b\n` });
    expect(text).toContain("it takes too many steps");
  });
});

describe("what it keeps", () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => 255 - at);

  test("bytes that are not UTF-8", async () => {
    await withTools({ "/a.bin": bytes }, async ({ call, fs }) => {
      await call("bash", { command: "sed -i 's/A/A/; s/B/Z/' a.bin" });
      expect(await fs.readFileBytes("/a.bin")).toEqual(bytes.map((byte) => (byte === 66 ? 90 : byte)));
    });
  });

  test.each([
    ["the mark at the beginning", "\uFEFFa\nb\n", "\uFEFFx\nb\n"],
    ["a last line without an end", "a\na", "x\nx"],
    ["line ends of Windows", "a\r\na\r\n", "x\r\nx\r\n"],
    ["pairs of surrogates", "a😀\n", "x😀\n"],
  ])("%s", async (_, before, after) => {
    await withTools({ "/a.txt": before }, async ({ call, fs }) => {
      await call("bash", { command: "sed -i 's/a/x/' a.txt" });
      expect(await fs.readFile("/a.txt")).toBe(after);
    });
  });

  test("a file in which nothing changes is not written", async () => {
    await withTools({ "/a.txt": "a\n" }, async ({ call, fs }) => {
      await call("bash", { command: "sed -i 's/b/x/' a.txt" });
      expect(fs.changes()).toEqual([]);
    });
  });
});

test("short and long texts, ASCII or not, are found in alike", async () => {
  for (const text of ["x  a1b22 ", "é  a1b22 ", `${"y".repeat(3000)}  a1b22 `]) {
    const out = await sed("sed 's/[0-9][0-9]*/<&>/2; s/ *$/|/; s/\\([a-z]\\)<\\(.*\\)>/\\U\\1\\E\\2/' a.txt", {
      "/a.txt": text,
    });
    expect(out).toBe(`${text.slice(0, -8)}  a1B22|`);
  }
});
