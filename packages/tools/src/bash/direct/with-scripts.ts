import fc from "fast-check";

/** Scripts of chance, for all that runs without just-bash. None of them calls itself, and none goes on in the background. */

const name = fc.constantFrom("a", "b", "c");
const file = fc.constantFrom("a.txt", "no-end.txt", "empty.txt", "d/e/f.txt", "out", "none", "d");
/** A folder is told of by the shell here, and by the command there. */
const input = fc.constantFrom("a.txt", "no-end.txt", "empty.txt", "d/e/f.txt", "out", "none");
const plain = fc.constantFrom(
  "x",
  "1",
  "07",
  "-3",
  "a b",
  "  lead",
  "one.two.ts",
  "src/x.tar.gz",
  "*",
  "a*",
  "",
  "é✓",
  "x=y",
  "-n",
);
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A pattern, as it is behind `%` or in `case`. */
const pattern = fc.constantFrom(
  "*",
  "*.ts",
  ".*",
  "*/",
  "/",
  "?",
  "a*",
  "[a-c]*",
  "[!x]?",
  '"*"',
  "'a b'",
  "$b",
  '"$b"',
  "*[[:digit:]]*",
  "x",
  "é*",
  "\\*",
);
const number = fc.constantFrom("0", "1", "2", "3", "-1", "-2", "10", "n", "m", "$n", "0x1f", "010");
const expression: fc.Arbitrary<string> = fc.letrec<{ sum: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: "small" },
    number,
    tie("sum").map((sum) => `(${sum})`),
  ),
  sum: fc.oneof(
    { depthSize: "small" },
    tie("term"),
    fc
      .tuple(
        tie("term"),
        fc.constantFrom("+", "-", "*", "/ 3 -", "% 4 +", "<", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">="),
        tie("term"),
      )
      .map((parts) => parts.join(" ")),
    fc.tuple(tie("term"), tie("term"), tie("term")).map(([test, yes, no]) => `${test} ? ${yes} : ${no}`),
    tie("term").map((term) => `k = ${term}`),
    fc.constantFrom("n++", "--m", "k += 2", "!n", "- 1", "~2"),
  ),
})).sum;

const operator = fc.oneof(
  fc.constantFrom(
    "",
    ":-z",
    "-z",
    ":=w",
    ":+set",
    "+set",
    ":-$b",
    ":-$((1+1))",
    ":1",
    ":1:2",
    ": -2",
    ":0:-1",
    "^^",
    "^",
    ",,",
    ",",
  ),
  fc.tuple(fc.constantFrom("#", "##", "%", "%%"), pattern).map((parts) => parts.join("")),
  fc
    .tuple(
      fc.constantFrom("/", "//", "/#", "/%"),
      fc.constantFrom("a", "*", "?", "[a-x]", ".", "$b", "o*e", "é"),
      fc.constantFrom("", "/", "/-", "/$b", '/"$b"'),
    )
    .map((parts) => parts.join("")),
);
const parameter = fc.oneof(
  fc.tuple(name, operator).map(([of, by]) => `\${${of}${by}}`),
  name.map((of) => `$${of}`),
  name.map((of) => `\${#${of}}`),
  fc.constantFrom("$?", "${#}", "$1", "$2", "$@", "$*", "${3:-none}"),
  expression.map((sum) => `$((${sum}))`),
);

interface Parts {
  word: string;
  simple: string;
  statement: string;
  list: string;
}

/** In which functions `f` and `g` may be called, `local` may be used, and loops may be left. */
const leaving = fc.constantFrom("break", "continue", "break 2", "exit 3", "exit");

export const script: fc.Arbitrary<string> = fc
  .letrec<Parts>((tie) => {
    const substitution = tie("simple").map((inner) => `$(${inner})`);
    const quotedParts = fc
      .array(fc.oneof(parameter, substitution, fc.constantFrom("a", " ", "*", "é", "\\$", ".")), { maxLength: 3 })
      .map((parts) => `"${parts.join("")}"`);
    const word = fc.oneof(
      { depthSize: "small" },
      plain.map(quote),
      parameter,
      fc.constantFrom(
        "*",
        "*.txt",
        "d/*",
        "*/",
        "d/*/*",
        "[a-e]*",
        "none*",

        "{a,b}c",
        "{1..3}",
        "a{,b}",
        "x?",
        "*.t?t",
        "./*",
      ),
      quotedParts,
      fc
        .tuple(fc.constantFrom("x", "a.", "é"), parameter, fc.constantFrom("", "y", "*"))
        .map((parts) => parts.join("")),
      substitution,
    );
    const words = fc.array(tie("word"), { maxLength: 3 }).map((all) => all.join(" "));
    const value = fc.oneof(plain.map(quote), tie("word"));
    const assignment = fc
      .tuple(name, fc.constantFrom("=", "=", "=", "+="), value)
      .map((parts) => parts.join(""))
      .filter((text) => !/[{]/.test(text.replace(/\$\{/g, "")));
    const test = fc.oneof(
      fc
        .tuple(
          fc.constantFrom("-n", "-z", "-f", "-d", "-e", "-s"),
          fc.oneof(
            parameter.map((of) => `"${of}"`),
            file,
          ),
        )
        .map((parts) => parts.join(" ")),
      fc
        .tuple(
          parameter.map((of) => `"${of}"`),
          fc.constantFrom("=", "!=", "-eq", "-lt", "-ge"),
          fc.constantFrom("1", "x", '"$b"', "''"),
        )
        .map((parts) => parts.join(" ")),
    );
    const bracket = fc.oneof(
      test.map((inner) => `[ ${inner} ]`),
      fc.tuple(test, test).map(([left, right]) => `[ ${left} ] && [ ! ${right} ]`),
      fc.tuple(name, fc.constantFrom("==", "!="), pattern).map(([of, by, glob]) => `[[ $${of} ${by} ${glob} ]]`),
      fc.tuple(name, fc.constantFrom("-f", "-n", "-z", "-d")).map(([of, by]) => `[[ ${by} $${of} || ! $${of} ]]`),
      expression.map((sum) => `((${sum}))`),
    );
    const command = fc.oneof(
      { weight: 3, arbitrary: words.map((all) => `echo ${all}`) },
      { weight: 3, arbitrary: words.map((all) => `printf '[%s]' ${all}; echo`) },
      words.map((all) => `printf '%-4s|%5s|%%|\\n' ${all}`),
      expression.map((sum) => `printf '%3d|%-4d|%05d|%x|%+d\\n' $((${sum})) -7 "'a" 0x1f 010`),
      { weight: 3, arbitrary: assignment },
      fc.tuple(assignment, name).map(([set, of]) => `${set} eval_no=1; echo "$${of}"`),
      fc.tuple(assignment, fc.constantFrom("sort a.txt", "echo $a", "cat out")).map((parts) => parts.join(" ")),
      file.map((from) => `cat ${from}`),
      input.map((from) => `wc -l < ${from}`),
      fc.constantFrom(
        "true",
        "false",
        ":",
        "ls",
        "cd d",
        "cd d/..",
        "cd - >/dev/null",
        "cat",
        "f x",
        "g 'a b' c",
        "shift",
        "set -- p 'q r'",
        "unset a",
        "export b",
        "unset b",
      ),
      bracket,
      fc.tuple(name, name).map(([one, two]) => `IFS=, read -r ${one} ${two} < a.txt`),
      fc
        .tuple(fc.constantFrom("", "-r "), name, name)
        .map(([raw, one, two]) => `read ${raw}${one} ${two} <<< ' p\\q  r,s '`),
    );
    const reader = fc.constantFrom(
      "cat",
      "sort",
      "wc -l",
      "{ cat; echo end; }",
      "(cat; exit 3)",
      "while read -r c; do a=$c; echo $a; done",
    );
    const target = fc.constantFrom("out", "d/out", "none/out", '"$a.out"', "/dev/null", "d");
    const redirection = fc.oneof(
      { weight: 4, arbitrary: fc.constant("") },
      fc.tuple(fc.constantFrom(" > ", " >> ", " 2> ", " &> "), target).map((parts) => parts.join("")),
      fc.constantFrom(" 2>&1", " >&2", " 2>/dev/null", " < a.txt", " < none", ' <<< "$a b"', " > out 2>&1"),
    );
    const simple = fc.tuple(command, redirection).map(([run, to]) => run + to);
    const body = tie("list");
    const compound = fc.oneof(
      { depthSize: "small" },
      fc.tuple(name, words, body).map(([of, all, run]) => `for ${of} in ${all}; do ${run}; done`),
      fc
        .tuple(name, words, tie("simple"), leaving)
        .map(([of, all, run, leave]) => `for ${of} in ${all}; do ${run}; [ "$${of}" = x ] || ${leave}; echo on; done`),
      fc.tuple(bracket, body, body).map(([when, yes, no]) => `if ${when}; then ${yes}; else ${no}; fi`),
      fc.tuple(tie("statement"), body).map(([when, yes]) => `if ${when}; then ${yes}; fi`),
      fc
        .tuple(fc.constantFrom("", "IFS= ", "IFS=: "), name, body, input)
        .map(([ifs, of, run, from]) => `while ${ifs}read -r ${of} c; do echo "$${of}|$c"; ${run}; done < ${from}`),
      fc.tuple(command, name).map(([run, of]) => `${run} | while read -r ${of}; do echo "<$${of}>"; done`),
      body.map((run) => `for ((i = 0; i < 3; i++)); do echo $i; ${run}; done`),
      fc
        .tuple(word, pattern, pattern, body, body, fc.constantFrom(";;", ";&", ";;&"))
        .map(
          ([of, one, two, first, second, end]) =>
            `case ${of.replace(/\{.*,.*\}|\{1\.\.3\}/, "br")} in ${one}) ${first} ${end} ${two} | "a b") ${second};; *) echo other;; esac`,
        ),
      fc.tuple(body, redirection).map(([run, to]) => `(${run})${to}`),
      fc.tuple(body, redirection).map(([run, to]) => `{ ${run}; }${to}`),
      // What does not read is ended by a signal in a real one, at times.
      fc.tuple(command, fc.constantFrom("|", "|&"), reader).map((parts) => parts.join(" ")),
      tie("simple").map((run) => `! ${run}`),
      fc.tuple(words, parameter).map(([all, of]) => `cat <<EOF\n${all.replaceAll("\\", "")} ${of}\nEOF\n:`),
    );
    const statement = fc.oneof({ depthSize: "small" }, tie("simple"), tie("simple"), tie("simple"), compound);
    const list = fc
      .array(fc.tuple(tie("statement"), fc.constantFrom("; ", "; ", "\n", " && ", " || ")), {
        minLength: 1,
        maxLength: 3,
      })
      .map((steps) =>
        steps.flat().slice(0, -1).join("").replaceAll("EOF\n: && ", "EOF\n:; ").replaceAll("EOF\n: || ", "EOF\n:; "),
      );
    return { word, simple, statement, list };
  })
  .list.chain((first) =>
    fc
      .tuple(
        fc.constantFrom("", "", "set -e\n", "set -u\n", "set -o pipefail\n", "set -eu\n"),
        fc.constantFrom('f() { echo "f:$1:$#"; a=f; return 4; }', 'f() { local a=$1; echo "$a"; false; }'),
        fc.constantFrom(
          'g() { local b; b=$2; echo "$b" > out; }',
          'g() { for a in "$@"; do [ "$a" = c ] && return; echo "$a"; done; }',
        ),
        fc.constantFrom("a=x b=1", "a='a b' b=one.two.ts c=3", "a=1 b='*' c=2", "a=src/x.tar.gz b=a", "a= b=' '"),
      )
      .map((before) => `${before.join("\n").trimStart()} n=3 m=-2 k=\n${first}`),
  );
