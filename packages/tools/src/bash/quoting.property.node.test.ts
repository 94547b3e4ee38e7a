import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withTools } from "../with-tools.ts";

// Words as a model writes them: text, quotes of each kind, and expansions, put together in any order.
const OPERATIONS = [":-d e", "-x", "/a/Q", "//[ab]/_", "^^", ",,", ":0:1", "%ba"] as const;
const text = fc.string({
  unit: fc.constantFrom(..."abXY01 \t*?[]{}~#=:,.;|&<>()!$`\"\\'é✓-/%@^+".split("")),
  maxLength: 8,
});
const FULL = ["A", "B", "SP"] as const;
const NAMES = [...FULL, "EMPTY", "UNSET"] as const;

const single = text.map((inner) => `'${inner.replaceAll("'", `'\\''`)}'`);
const ansi = text.map((inner) => `$'${inner.replace(/[\\']/g, "\\$&")}\\n\\x41'`);
const escaped = text.map((inner) => inner.replace(/[^a-zA-Z0-9é✓]/g, (char) => (char === "\t" ? "" : `\\${char}`)));
const expansionOf = (names: readonly string[]): fc.Arbitrary<string> => {
  const name = fc.constantFrom(...names);
  return fc.oneof(
    name.map((each) => `$${each}`),
    name.map((each) => `\${${each}}`),
    name.map((each) => `\${#${each}}`),
    fc.tuple(name, fc.constantFrom(...OPERATIONS)).map(([each, operation]) => `\${${each}${operation}}`),
    fc.integer({ min: 0, max: 99 }).map((number) => `$((${number} * 3 % 7))`),
    single.map((inner) => `$(printf 'x%sx' ${inner})`),
  );
};
const inDouble = fc.oneof(
  text.map((inner) => inner.replace(/["\\$`!]/g, "\\$&").replaceAll("\\!", "!")),
  expansionOf(NAMES),
);
const double = fc.array(inDouble, { maxLength: 4 }).map((parts) => `"${parts.join("")}"`);
// Known differences of just-bash, so not asked for: an expansion without quotes that is empty, or has blanks at its ends,
// beside something in quotes (`$EMPTY""` is one empty word to bash, and none to it).
const bare = expansionOf(FULL);
const word = fc
  .array(fc.oneof(single, double, ansi, escaped, bare), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const words = fc.array(word, { minLength: 1, maxLength: 4 });

const SETUP = "A=abba B='x  y*' EMPTY= SP='p  q'; unset UNSET; set -f\n";

/** Each word in brackets, so that none is lost; and what a file is that they are written to. */
const scriptOf = (list: readonly string[]): string =>
  `${SETUP}printf '[%s]\\n' ${list.join(" ")} > out.txt\ncat out.txt\nv=${list[0]}; printf '<%s>\\n' "$v"\n`;

describe("quoting", () => {
  const isThere = spawnSync("bash", ["--version"]).status === 0;

  test.skipIf(!isThere)("means what it means to bash, and loses no byte", { timeout: 300_000 }, async () => {
    await withTools({}, async ({ again }) => {
      await fc.assert(
        fc.asyncProperty(words, async (list) => {
          const script = scriptOf(list);
          const { stdout, status } = spawnSync("bash", ["-c", script], {
            cwd: "/dev/shm",
            env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
            encoding: "utf8",
          });
          const { call, fs } = again();
          const output = await call("bash", { command: script });
          const printed = output.text.replace(/\n\[stderr\]\n[\s\S]*$/, "");
          expect({ printed, status: (output.data as { exitCode: number }).exitCode }).toEqual({
            printed: stdout.replace(/\n$/, ""),
            status,
          });
          const file = await fs.readFile("/out.txt");
          expect(stdout.startsWith(file)).toBe(true);
        }),
        { numRuns: Number(process.env["TENREC_RUNS"] ?? 60) },
      );
    });
  });
});
