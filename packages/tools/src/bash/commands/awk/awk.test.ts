import { describe, expect, test } from "vitest";
import { withTools } from "../../../with-tools.ts";
import { directLine } from "../../direct/direct-line.ts";
import { heavyCommandsIn } from "../../heavy-commands-in.ts";
import { parseLine } from "../../parse-line.ts";
import { AWK_COMMANDS } from "./awk.ts";

const FILES = { "/a.txt": "one 1\ntwo 2\n", "/bytes": new Uint8Array([0xff, 0x61, 10, 0xc3, 0xa9, 10]) };

function awk(command: string, files: Record<string, string | Uint8Array> = FILES): Promise<string> {
  return withTools(files, async ({ call }) => (await call("bash", { command })).text);
}

describe("awk", () => {
  test.each([
    ["fields", "awk '{print $2, NF}' a.txt", "1 2\n2 2"],
    ["paragraphs", "printf 'a\\nb\\n\\n\\nc\\n' | awk 'BEGIN{RS=\"\"}{print NR\":\"$1}'", "1:a\n2:c"],
    ["a field as a file's name", "awk '{print $2 > \"o_\" $1}' a.txt; cat o_one o_two", "1\n2"],
    ["whole numbers", "awk 'BEGIN{print int(-3.7), 2^53, 1e6, -7%3}'", "-3 9007199254740992 1000000 -1"],
    ["texts and numbers", 'echo \'10 9\' | awk \'{print ($1<$2), ("10"<"9"), ($1<"9")}\'', "0 1 1"],
    ["formats", "awk 'BEGIN{printf \"%05.2f|%c|%-4d|%x\\n\", 3.14159, 65, 7, 255}'", "03.14|A|7   |ff"],
    ["a file of programs", "echo '{print $1}' > p.awk; awk -f p.awk a.txt", "one\ntwo"],
    ["lines of two files", "awk 'NR==FNR{a[$1];next} !($1 in a)' a.txt - <<< $'two\\nthree'", "three"],
    ["what others print", 'awk \'BEGIN{"echo hi" | getline x; print x; system("echo there")}\'', "hi\nthere"],
    ["what others read", "awk '{print $1 | \"sort -r\"}' a.txt", "two\none"],
    ["variables of the shell", "X=y awk 'BEGIN{print ENVIRON[\"X\"]}'", "y"],
    ["keys in the order in which they came", "awk 'BEGIN{a[10];a[9];a[\"x\"]; for(k in a) print k}'", "10\n9\nx"],
    ["groups", "awk 'BEGIN{match(\"ab12\", /([a-z]+)([0-9]+)/, m); print m[1], m[2]}'", "ab 12"],
    ["a function in a function", "awk 'function f(n){return n<2?1:n*f(n-1)} BEGIN{print f(5)}'", "120"],
    ["characters", "echo 'héé✓😀' | awk '{print length, substr($0,2,2), toupper($0)}'", "5 éé HÉÉ✓😀"],
    ["GNU's by its name", "gawk 'BEGIN{print toupper(\"x\")}'", "X"],
    ["more than a shell's limits", "seq 120000 | awk '{s+=$1} END{print s}'", "7200060000"],
  ])("%s", async (_name, command, text) => {
    expect(await awk(command)).toBe(text);
  });

  test("keeps bytes that are no text", async () => {
    await withTools(FILES, async ({ call, fs }) => {
      await call("bash", { command: "awk '{print $0 \"!\"}' bytes > out" });
      expect([...(await fs.readFileBytes("/out"))]).toEqual([0xff, 0x61, 33, 10, 0xc3, 0xa9, 33, 10]);
    });
  });

  test("rewrites files in their place, and keeps those as they were", async () => {
    await withTools(FILES, async ({ call, fs }) => {
      await call("bash", { command: "awk -i inplace -v inplace::suffix=.orig '{print $1}' a.txt" });
      expect([await fs.readFile("/a.txt"), await fs.readFile("/a.txt.orig")]).toEqual(["one\ntwo\n", "one 1\ntwo 2\n"]);
    });
  });
});

describe("awk says", () => {
  test.each([
    ["a mistake", "awk '{print $1'", "awk: cmd. line:1: unexpected end of the program\n[exit code 1]"],
    ["where a mistake is", "awk 'BEGIN {\n x = = 1\n}'", "awk: cmd. line:2: syntax error at or near =\n[exit code 1]"],
    ["a pattern that is none", "awk '/(/'", "awk: fatal: invalid regexp: Unmatched ( or \\(: /(/\n[exit code 2]"],
    [
      "a function that is not there",
      "awk 'BEGIN{f(1)}'",
      "awk: cmd. line:1: fatal: function `f' not defined\n[exit code 2]",
    ],
    [
      "a call of what is no function",
      "awk 'BEGIN{f=1; f(1)}'",
      "awk: cmd. line:1: error: attempt to use non-function `f' in function call\n[exit code 1]",
    ],
    [
      "a division by 0 in the program",
      "awk 'BEGIN{print 1; print 1/0}'",
      "awk: cmd. line:1: error: division by zero attempted\n[exit code 1]",
    ],
    [
      "an input without a name",
      "awk 'BEGIN{getline x < \"\"}'",
      "awk: fatal: expression for `<' redirection has null string value\n[exit code 2]",
    ],
    [
      "a file that is not there",
      "awk 1 none",
      "awk: fatal: cannot open file `none' for reading: No such file or directory\n[exit code 2]",
    ],
    [
      "where it cannot write",
      "awk 'BEGIN{print 1; print 2 > \"no/x\"}'",
      "1\n[stderr]\nawk: fatal: cannot redirect to `no/x': No such file or directory\n[exit code 2]",
    ],
    [
      "a division by zero",
      "awk 'BEGIN{print 1; print 1/x}'",
      /^1\n\[stderr\]\nawk: fatal: division by zero attempted\n/,
    ],
    ["missing arguments", "awk 'BEGIN{printf \"%s %s\", 1}'", /not enough arguments/],
    ["an array as a text", "awk 'BEGIN{a[1]=1; print a}'", /attempt to use array `a' in a scalar context/],
    [
      "an option that is not here",
      "awk -M 'BEGIN{}'",
      "awk: -M is not supported; numbers are those of C's double here\n[exit code 2]",
    ],
    ["a library", "awk -i join 'BEGIN{}'", /^awk: -i join is not supported; give the file with -f/],
    ["an included file", "awk '@include \"x\"; BEGIN{}'", /^awk: cmd\. line:1: @ .* is not supported; .*-f/],
    [
      "a command beside it",
      "awk 'BEGIN{print 1 |& \"cat\"}'",
      /^awk: cmd\. line:1: \|& .* is not supported; use \| or a file/,
    ],
    ["the network", "awk 'BEGIN{print 1 > \"/inet/tcp/0/x/80\"}'", /\/inet\/tcp\/0\/x\/80 is not supported/],
    ["a table of variables", "awk 'BEGIN{SYMTAB[\"x\"]=1}'", /SYMTAB is not supported; name the variable itself/],
    ["a namespace", "awk 'BEGIN{a::b=1}'", /a::b: namespaces are not supported/],
    [
      "an order that is a function",
      "awk 'BEGIN{a[1];asort(a,b,\"by\")}'",
      /asort: by is not supported: a function as an order; use/,
    ],
    [
      "a time zone",
      "TZ=Asia/Tokyo awk 'BEGIN{print strftime(\"%H\",0)}'",
      /time zone Asia\/Tokyo is not supported; times are in UTC/,
    ],
    [
      "a wrong escape",
      "awk 'BEGIN{print \"a\\.b\"}'",
      /^a\.b\n\[stderr\]\nawk: cmd\. line:1: warning: escape sequence/,
    ],
  ])("%s", async (_name, command, text) => {
    const output = await awk(command);
    if (typeof text === "string") expect(output).toBe(text);
    else expect(output).toMatch(text);
  });
});

describe("awk ends", () => {
  test.each([
    [
      "calls without end",
      "awk 'function f(n){return f(n+1)} BEGIN{f(1)}'",
      /calls of f are in each other more than 50000 times/,
    ],
    [
      "an array that grows",
      "awk 'BEGIN{while(1) a[i++]=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" i}'",
      /arrays hold more than the 48 MiB/,
    ],
    [
      "output without end",
      "awk 'BEGIN{while(1) print \"yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\"}' | head -1",
      /^yyy.*\n[^]*prints more than the 32 MiB|output size limit/,
    ],
    ["a wide field", "awk 'BEGIN{printf \"%1000000000d\", 1}'", /a text has more than the 16 MiB/],
    ["a field far away", "awk 'BEGIN{$1000000000=1}'", /more than the 2000000 fields/],
    [
      "a text that gsub doubles",
      'awk \'BEGIN{s="aa"; while(1) gsub(/a+/,"&&",s)}\'',
      /a text has more than the 16 MiB/,
    ],
    ["a repetition of repetitions", "awk '/((a{1,100}){1,100}){1,100}/'", /Regular expression too big/],
    ["parentheses", `awk 'BEGIN{x=${"(".repeat(5000)}1${")".repeat(5000)}}'`, /nested too deep/],
    ["blocks", `awk 'BEGIN{${"{".repeat(5000)}${"}".repeat(5000)}}'`, /nested too deep/],
    ["a long sum", `awk 'BEGIN{print 0${"+1".repeat(3000)}}'`, /^3000$|nested too deep/],
  ])("%s", async (_name, command, text) => {
    expect(await awk(command)).toMatch(text);
  });

  test("a hostile expression, in a time that grows with the text alone", async () => {
    const files = { "/a.txt": `${"a".repeat(200_000)}c\n` };
    expect(await awk("awk '{print /^(a|aa)+$/, gsub(/(a*)*b/,\"x\"), match($0, /(a+a+)+b/)}' a.txt", files)).toBe(
      "0 0 0",
    );
  });
});

describe("a shell around awk", () => {
  test.each([
    ["awk '{print $1}' a.txt", true],
    ["awk -F: -v x=1 'NR==x' a.txt", true],
    ["awk '{print > \"out\"}' a.txt", true],
    ["awk '{' a.txt", true],
    ["awk 'BEGIN{system(\"ls\")}'", false],
    ["awk '{print | \"sort\"}' a.txt", false],
    ["awk 'BEGIN{\"date\" | getline}'", false],
    ["awk 'BEGIN{print ENVIRON[\"HOME\"]}'", true],
    ["awk -f p.awk a.txt", false],
  ])("%s does without: %s", (line, isDirect) => {
    expect(directLine(parseLine(line), AWK_COMMANDS) !== undefined).toBe(isDirect);
    // Whatever it takes, it takes no executor.
    expect(heavyCommandsIn(line, new Set(), AWK_COMMANDS)).toEqual([]);
  });
});
