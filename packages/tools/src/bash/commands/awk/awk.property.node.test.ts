import fc from "fast-check";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTools } from "../../../with-tools.ts";

const GAWK = "gawk";
const isThere = /GNU Awk 5/.test(spawnSync(GAWK, ["--version"], { encoding: "utf8" }).stdout ?? "");
// The same ones each time unless others are asked for: GNU's has mistakes of its own.
const SEED = Number(process.env["TENREC_SEED"] ?? 1);
const RUNS = Number(process.env["TENREC_RUNS"] ?? 50);

const TEXT = "foo 1 bar\n  ab,c  2.5 o\n\n10 9 x:y 0x1A\nabc -3e1 +5 .5.\n";

/** Programs without end are none of these (`rounds` is of all loops), and none reads or writes files or runs others. */
const number = fc.constantFrom(
  "0",
  "1",
  "2",
  "3",
  "10",
  "0.5",
  "1e3",
  "-1",
  "100000",
  "1e15",
  "0.1",
  "3.0",
  "123456.789",
);
const word = fc.constantFrom(
  '""',
  '"a"',
  '"o"',
  '"10"',
  '"9"',
  '"abc"',
  '"3x"',
  '" 5 "',
  '"foo bar"',
  '"A"',
  '"0"',
  '"1e2"',
  '"+1"',
  '".5"',
);
const regex = fc.constantFrom(
  ..."/o/ /^a/ /[0-9]+/ /b*/ /a|ab/ /(a|b)+c?/ /./ /x$/ /[^ ]+/ /o+|r/ /[[:alpha:]]+/ /^$/ /\\./ /a{2}/ /(o)(.)?/".split(
    " ",
  ),
  "/[ ,:]/",
  "/ +/",
);
const name = fc.constantFrom("x", "y", "z");

const { expression, place } = fc.letrec<{ expression: string; place: string }>((tie) => {
  const inner = tie("expression");
  const two = fc.tuple(inner, inner);
  const operator = fc.constantFrom("+", "-", "*", "<", "<=", "==", "!=", ">", ">=", " ", " ", "&&", "||", "~", "!~");
  return {
    place: fc.oneof(
      name,
      fc.constantFrom("$0", "$1", "$2", "$3", "$NF", "$(NF-1<0?0:NF-1)"),
      inner.map((key) => `a[${key}]`),
    ),
    expression: fc.oneof(
      { maxDepth: 3, depthIdentifier: "expression" },
      number,
      word,
      fc.constantFrom("x", "y", "$0", "$1", "$2", "$3", "$5", "NF", "NR", "length", "length(a)", "length($1)"),
      fc
        .tuple(inner, operator, inner)
        .map(([left, by, right]) => `(${left}${/\w|[^ ]/.test(by) ? ` ${by} ` : " "}${right})`),
      fc
        .tuple(inner, fc.constantFrom("%", "/"), fc.constantFrom("3", "7", "2.5"))
        .map((parts) => `(${parts.join(" ")})`),
      fc.tuple(fc.constantFrom("!", "-", "+"), inner).map(([sign, operand]) => `${sign}(${operand})`),
      fc.tuple(inner, inner, inner).map(([test_, yes, no]) => `(${test_} ? ${yes} : ${no})`),
      fc.tuple(inner, regex, fc.constantFrom("~", "!~")).map(([text, by, how]) => `(${text} ${how} ${by})`),
      fc
        .tuple(tie("place"), fc.constantFrom("=", "+=", "-=", "*="), inner)
        .map(([to, sign, value]) => `(${to} ${sign} ${value})`),
      fc.tuple(name, fc.constantFrom("++", "--")).map(([to, sign]) => `(${to}${sign})`),
      fc.tuple(name, fc.constantFrom("++", "--")).map(([to, sign]) => `(${sign}${to})`),
      inner.map((key) => `((${key}) in a)`),
      fc
        .tuple(inner, fc.constantFrom("-1", "0", "1", "1.5", "2", "3"), fc.constantFrom("-1", "0", "1", "2.5", "9"))
        .map(([text, from, count]) => `substr(${text}, ${from}, ${count})`),
      two.map(([text, part]) => `index(${text}, ${part})`),
      fc.tuple(inner, regex).map(([text, by]) => `(match(${text}, ${by}) "," RSTART "," RLENGTH)`),
      inner.map((text) => `toupper(${text})`),
      inner.map((of) => `int(${of})`),
      fc
        .tuple(
          inner,
          fc.constantFrom(
            "%d",
            "%5.2f",
            "%s",
            "%-4s|",
            "%c",
            "%x",
            "%e",
            "%g",
            "%05d",
            "%+d",
            "%.3s",
            "%i",
            "%o",
            "%.10g",
          ),
        )
        .map(
          ([value, how]) =>
            `sprintf("${how}", ${how === "%x" || how === "%o" ? `int(${value})*int(${value})%1000` : value})`,
        ),
      fc
        .tuple(inner, fc.oneof(regex, fc.constantFrom('","', '" "', '"o"', '"."', '""')))
        .map(([text, by]) => `(split(${text}, p, ${by}) ":" p[1] ":" p[2])`),
      fc
        .tuple(regex, fc.constantFrom('"<&>"', '""', '"\\\\&"', '"x"', '"[&&]"'), name)
        .map(([by, to, target]) => `gsub(${by}, ${to}, ${target})`),
      fc
        .tuple(regex, fc.constantFrom('"<\\\\0>"', '"\\\\1"', '"x"'), fc.constantFrom('"g"', "1", "2"), inner)
        .map(([by, to, which, text]) => `gensub(${by}, ${to}, ${which}, ${text} "")`),
      two.map(([left, right]) => `f(${left}, ${right})`),
      inner.map((of) => `g(a, ${of})`),
    ),
  };
});

const statement = fc.letrec<{ statement: string }>((tie) => {
  const inner = tie("statement");
  return {
    statement: fc.oneof(
      { maxDepth: 2, depthIdentifier: "statement" },
      expression.map((value) => `print ${value}`),
      fc.tuple(expression, expression).map(([first, second]) => `print ${first}, ${second}`),
      fc.tuple(place, expression).map(([to, value]) => `${to} = ${value}; print`),
      expression.map((value) => value),
      fc.tuple(expression, inner, inner).map(([test_, yes, no]) => `if (${test_}) { ${yes} } else { ${no} }`),
      inner.map((body) => `for (i = 0; i < 3 && rounds++ < 30; i++) { ${body} }`),
      fc.tuple(expression, inner).map(([test_, body]) => `while (rounds++ < 30 && ${test_}) { ${body} }`),
      expression.map((key) => `delete a[${key}]`),
      fc.constantFrom(
        "next",
        "print NF, $0",
        'PROCINFO["sorted_in"] = "@ind_str_asc"; for (k in a) print k, a[k]',
        'OFS = "-"',
        '$3 = "n"; print NF',
      ),
    ),
  };
}).statement;

const pattern = fc.oneof(fc.constantFrom("", "", "NR==2", "NR==2,NR==4", "/o/,/x/", "END", "$1 > 5", "NF"), regex);
const rule = fc.tuple(pattern, fc.array(statement, { minLength: 1, maxLength: 4 })).map(([when, body]) => {
  // There is no next record at the end.
  const steps = when === "END" ? body.map((step) => step.replaceAll(/\bnext\b/g, "exit 3")) : body;
  return `${when} { ${steps.join("; ")} }`;
});
const FUNCTIONS = "function f(p, q,  t) { t = p; if (p < q) t = q; return t } function g(c, k) { c[k]++; return c[k] }";
const program = fc
  .array(rule, { minLength: 1, maxLength: 3 })
  .map((rules) => [FUNCTIONS, 'BEGIN { a["k"] }', ...rules].join("\n"));

function real(source: string): { readonly stdout: string; readonly code: number } {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-awk-"));
  try {
    writeFileSync(join(folder, "in"), TEXT);
    const env = { LC_ALL: "C.UTF-8", PATH: process.env["PATH"] };
    const command = 'ulimit -v 2000000 -u 4000; exec gawk "$1" in';
    const { stdout, status } = spawnSync("bash", ["-c", command, "bash", source], { cwd: folder, env, timeout: 5000 });
    return { stdout: stdout.toString("utf8"), code: status ?? -1 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe.skipIf(!isThere)("a program of awk of chance", () => {
  test("does what it does in GNU's", { timeout: 600_000 }, () =>
    withTools({ "/in": TEXT }, async ({ call, fs }) => {
      await fc.assert(
        fc.asyncProperty(program, async (source) => {
          const quoted = `'${source.replaceAll("'", `'\\''`)}'`;
          const { data } = await call("bash", { command: `awk ${quoted} in > out` });
          const got = { stdout: await fs.readFile("/out"), code: (data as { exitCode: number }).exitCode };
          expect(got).toEqual(real(source));
        }),
        { numRuns: RUNS, seed: SEED },
      );
    }),
  );
});
