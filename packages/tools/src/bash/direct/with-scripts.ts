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

type Text = fc.Arbitrary<string>;

const joined = (...parts: Text[]): Text => fc.tuple(...parts).map((texts) => texts.join(" "));

/** What is a word or more, with substitutions of these commands in it. */
function wordOf(simple: Text, word: Text): Text {
  const substitution = simple.map((inner) => `$(${inner})`);
  const quotedParts = fc
    .array(fc.oneof(parameter, substitution, fc.constantFrom("a", " ", "*", "é", "\\$", ".")), { maxLength: 3 })
    .map((parts) => `"${parts.join("")}"`);
  return fc.oneof(
    { depthSize: "small" },
    plain.map(quote),
    parameter,
    fc.constantFrom(..."* *.txt d/* */ d/*/* [a-e]* none* {a,b}c {1..3} a{,b} x? *.t?t ./*".split(" ")),
    quotedParts,
    fc.tuple(fc.constantFrom("x", "a.", "é"), parameter, fc.constantFrom("", "y", "*")).map((parts) => parts.join("")),
    substitution,
    word,
  );
}

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

function assignmentOf(word: Text): Text {
  return (
    fc
      .tuple(name, fc.constantFrom("=", "=", "=", "+="), fc.oneof(plain.map(quote), word))
      .map((parts) => parts.join(""))
      // Braces mean nothing in them, which is left to just-bash.
      .filter((text) => !/[{]/.test(text.replace(/\$\{/g, "")))
  );
}

function commandOf(word: Text): Text {
  const words = fc.array(word, { maxLength: 3 }).map((all) => all.join(" "));
  const assignment = assignmentOf(word);
  return fc.oneof(
    words.map((all) => `echo ${all}`),
    words.map((all) => `printf '[%s]' ${all}; echo`),
    words.map((all) => `printf '<%s %s>\\n' ${all}`),
    words.map((all) => `printf '%-4s|%5s|%%|\\n' ${all}`),
    expression.map((sum) => `printf '%3d|%-4d|%05d|%x|%+d\\n' $((${sum})) -7 "'a" 0x1f 010`),
    assignment,
    assignment,
    fc.tuple(assignment, name).map(([set, of]) => `${set} d=1; echo "$${of}"`),
    joined(assignment, fc.constantFrom("sort a.txt", "echo $a", "cat out", "f $b")),
    file.map((from) => `cat ${from}`),
    input.map((from) => `wc -l < ${from}`),
    fc.constantFrom(..."true,false,:,ls,cd d,cd d/..,cd - >/dev/null,cat,f x,g 'a b' c,shift".split(",")),
    fc.constantFrom("set -- p 'q r'", "unset a", "export b", "unset b"),
    bracket,
    fc.tuple(name, name).map(([one, two]) => `IFS=, read -r ${one} ${two} < a.txt`),
    fc
      .tuple(fc.constantFrom("", "-r "), name, name)
      .map(([raw, one, two]) => `read ${raw}${one} ${two} <<< ' p\\q  r,s '`),
  );
}

const target = fc.constantFrom("out", "d/out", "none/out", '"$a.out"', "/dev/null", "d");
const redirection = fc.oneof(
  fc.constant(""),
  fc.constant(""),
  fc.tuple(fc.constantFrom(" > ", " >> ", " 2> ", " &> "), target).map((parts) => parts.join("")),
  fc.constantFrom(" 2>&1", " >&2", " 2>/dev/null", " < a.txt", " < none", ' <<< "$a b"', " > out 2>&1"),
);
/** What does not read is ended by a signal in a real one, at times. */
const reader = fc.constantFrom(
  ..."cat,sort,wc -l,{ cat; echo end; },(cat; exit 3),while read -r c; do a=$c; echo $a; done".split(","),
);
const leaving = fc.constantFrom("break", "continue", "exit 3", "exit");

interface Inner {
  readonly word: Text;
  readonly simple: Text;
  readonly statement: Text;
  readonly body: Text;
}

function loopOf({ word, simple, body }: Inner): Text {
  const words = fc.array(word, { maxLength: 3 }).map((all) => all.join(" "));
  const separator = fc.constantFrom("", "IFS= ", "IFS=: ");
  return fc.oneof(
    { depthSize: "small" },
    fc.tuple(name, words, body).map(([of, all, run]) => `for ${of} in ${all}; do ${run}; done`),
    fc
      .tuple(name, words, simple, leaving)
      .map(([of, all, run, leave]) => `for ${of} in ${all}; do ${run}; [ "$${of}" = x ] || ${leave}; echo on; done`),
    fc
      .tuple(separator, name, body, input)
      .map(([ifs, of, run, from]) => `while ${ifs}read -r ${of} c; do echo "$${of}|$c"; ${run}; done < ${from}`),
    fc.tuple(commandOf(word), name).map(([run, of]) => `${run} | while read -r ${of}; do echo "<$${of}>"; done`),
    body.map((run) => `for ((i = 0; i < 3; i++)); do echo $i; ${run}; done`),
  );
}

function compoundOf(inner: Inner): Text {
  const { word, simple, statement, body } = inner;
  // Braces mean nothing in the word of a `case`.
  const subject = word.map((of) => of.replace(/\{.*,.*\}|\{1\.\.3\}/, "br"));
  return fc.oneof(
    { depthSize: "small" },
    loopOf(inner),
    loopOf(inner),
    fc.tuple(bracket, body, body).map(([when, yes, no]) => `if ${when}; then ${yes}; else ${no}; fi`),
    fc.tuple(statement, body).map(([when, yes]) => `if ${when}; then ${yes}; fi`),
    fc
      .tuple(subject, pattern, pattern, body, body, fc.constantFrom(";;", ";&", ";;&"))
      .map(
        ([of, one, two, first, second, end]) =>
          `case ${of} in ${one}) ${first} ${end} ${two} | "a b") ${second};; *) echo other;; esac`,
      ),
    fc.tuple(body, redirection).map(([run, to]) => `(${run})${to}`),
    fc.tuple(body, redirection).map(([run, to]) => `{ ${run}; }${to}`),
    joined(commandOf(word), fc.constantFrom("|", "|&"), reader),
    simple.map((run) => `! ${run}`),
    fc.tuple(word, parameter).map(([all, of]) => `cat <<EOF\n${all.replaceAll("\\", "")} ${of}\nEOF\n:`),
  );
}

const list: Text = fc.letrec((tie) => {
  const [word, simple, statement, body] = ["word", "simple", "statement", "list"].map((key) => tie(key) as Text);
  const inner = { word, simple, statement, body } as Inner;
  return {
    word: wordOf(inner.simple, inner.word),
    simple: fc.tuple(commandOf(inner.word), redirection).map((parts) => parts.join("")),
    statement: fc.oneof({ depthSize: "small" }, inner.simple, inner.simple, inner.simple, compoundOf(inner)),
    list: fc
      .array(fc.tuple(inner.statement, fc.constantFrom("; ", "; ", "\n", " && ", " || ")), {
        minLength: 1,
        maxLength: 3,
      })
      .map((steps) =>
        steps
          .flat()
          .slice(0, -1)
          .join("")
          .replace(/EOF\n: (&&|\|\|) /g, "EOF\n:; "),
      ),
  };
}).list as Text;

const beginning = fc.tuple(
  fc.constantFrom("", "", "set -e", "set -u", "set -o pipefail", "set -eu"),
  fc.constantFrom('f() { echo "f:$1:$#"; a=f; return 4; }', 'f() { local a=$1; echo "$a"; false; }'),
  fc.constantFrom(
    'g() { local b; b=$2; echo "$b" > out; }',
    'g() { for a in "$@"; do [ "$a" = c ] && return; echo "$a"; done; }',
  ),
  fc.constantFrom("a=x b=1", "a='a b' b=one.two.ts c=3", "a=1 b='*' c=2", "a=src/x.tar.gz b=a", "a= b=' '"),
);

export const script: Text = fc
  .tuple(beginning, list)
  .map(([before, after]) => `${before.join("\n").trimStart()} n=3 m=-2 k=\n${after}`);
