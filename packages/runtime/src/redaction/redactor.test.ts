import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED } from "./redactor.ts";
import { EXAMPLES, KEY_TEXT, PRIVATE_KEY } from "./with-secrets.ts";

const VALUE = "pass phrase (very) secret$";
const redactor = createRedactor([VALUE, "s3cr3t-word"]);

describe.each(EXAMPLES)("a secret of the kind %s", (_name, secret, text) => {
  test.each([
    ["alone", "", ""],
    ["in a sentence", "The key is ", ", keep it."],
    ["in quotes", 'KEY="', '"\n'],
    ["in JSON", '{"a":"x\\n', '\\n"}'],
    ["behind an escape", "\\u003d", " "],
  ])("is not left %s", (_where, before, after) => {
    const found = redactor.text(before + text(secret) + after);
    expect(found).toBe(before + text(REDACTED) + after);
    expect(redactor.text(found)).toBe(found);
  });
});

describe("a private key", () => {
  const HEAD = "-----BEGIN PRIVATE KEY-----";

  test.each<[how: string, text: string]>([
    ["as it is", PRIVATE_KEY],
    ["in JSON", JSON.stringify(PRIVATE_KEY).slice(1, -1)],
    ["with the numbers of lines", PRIVATE_KEY.replaceAll("\n", () => "\n    12\t")],
    ["in a diff", PRIVATE_KEY.replaceAll("\n", "\n+")],
  ])("is not left %s, and what follows stays", (_how, text) => {
    expect(redactor.text(`a\n${text}\nb`)).toBe(`a\n${HEAD}${REDACTED}\nb`);
  });

  test("that is cut off or encrypted is not left either", () => {
    const cut = redactor.text(PRIVATE_KEY.slice(0, 300));
    const encrypted = redactor.text(
      PRIVATE_KEY.replace("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0123456789ABCDEF\n\n"),
    );
    for (const line of KEY_TEXT) expect(cut + encrypted).not.toContain(line.slice(0, 20));
  });
});

describe("a configured value", () => {
  test.each([
    ["as it is", `echo ${VALUE} | x`, `echo ${REDACTED} | x`],
    ["within a word", "xs3cr3t-wordx", `x${REDACTED}x`],
    ["twice", "s3cr3t-words3cr3t-word", REDACTED + REDACTED],
  ])("is not left %s", (_how, text, left) => {
    expect(redactor.text(text)).toBe(left);
  });
});

test.each([
  ["words", "The sk- prefix, ghp_ tokens, an AKIA id and npm_config_registry are spoken of."],
  ["names in CSS", ".sk-folding-cube-container-of-the-page { color: red }"],
  ["code about keys", 'const BEGIN = "-----BEGIN PRIVATE KEY-----";\nconst END = "-----END PRIVATE KEY-----";'],
  ["placeholders", "https://user:${TOKEN}@a.test https://<user>:<password>@a.test http://a:$PASS@b.test"],
  ["passwords that all know", "postgres://postgres:postgres@db mysql://root:password@localhost redis://app:app@r:6379"],
  [
    "examples of manuals",
    `AKIAIOSFODNN7EXAMPLE eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6I.${"Sf".repeat(20)}`,
  ],
  ["addresses", "http://localhost:8787/agents?a=b@c and https://a.test:443/x@1.0.0 and ssh://git@a.test:22/x"],
  ["a header in code", "headers: { authorization: `Bearer ${token}` }"],
  [
    "hashes and ids",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ],
  ["an image", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"],
])("%s stay as they are", (_name, text) => {
  expect(redactor.text(text)).toBe(text);
});

describe("a text that comes in pieces", () => {
  /** Numbers from 0 to `below`, the same ones for a seed. */
  function randomOf(seed: number): (below: number) => number {
    let state = seed;
    return (below) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 4294967296) * below);
    };
  }

  const pieces = [
    ...EXAMPLES.map(([, secret, text]) => text(secret)),
    PRIVATE_KEY,
    VALUE,
    "s3cr3t-word",
    "sk-",
    "ghp_",
    "-----BEGIN ",
    "eyJabcdefgh.",
    "://a:",
    "Authorization: ",

    "postgres://app:app@db",
    "postgres://app:apps@db",
    "://root:password",
    "AKIAIOSFODNN7EXAMPLE",
    "AKIAIOSFODNN7EX",

    " ",
    "\n",
    "\\n",
    "-",
    "word",
    '"',
    "pass phrase",
    "s3cr3t",
    "A",
    "https",
  ];

  test("comes out as when it is whole, however it is cut", () => {
    const wrong: number[] = [];
    for (let seed = 1; seed <= 1500; seed += 1) {
      const random = randomOf(seed);
      let text = "";
      for (let n = random(12); n >= 0; n -= 1) {
        const piece = pieces[random(pieces.length)] ?? "";
        text += random(4) === 0 ? piece.slice(0, random(piece.length)) : piece;
      }
      const stream = redactor.stream();
      let out = "";
      for (let at = 0; at < text.length;) {
        const end = at + 1 + random(seed % 3 === 0 ? 3 : 40);
        out += stream.push(text.slice(at, end));
        at = end;
      }
      out += stream.end();
      if (out !== redactor.text(text)) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  });

  test("is not held back longer than it may become a secret", () => {
    const stream = redactor.stream();
    expect(stream.push("Hello, wor")).toBe("Hello, wor");
    expect(stream.push("ld gh")).toBe("ld ");
    expect(stream.push("ost. s3cr3")).toBe("ghost. ");
    expect(stream.push("t-ward")).toBe("s3cr3t-ward");
    expect(stream.push(" ghp_abc")).toBe(" ");
    expect(stream.push(" ")).toBe("ghp_abc ");
  });
});

test.each([
  ["a secret by its looks", `x ghp_${"a1".repeat(10)}`, "x "],
  ["a configured value", "x s3cr3t-wo", "x "],
  ["few letters", "x s3cr3", "x s3cr3"],
  ["nothing of the kind", "words", "words"],
])("of a line that was cut in the middle of %s, the beginning is not left", (_name, text, left) => {
  const cut = "… [12 more characters]\nnext";
  expect(redactor.cutText(text + cut)).toBe(left === text ? text + cut : left + REDACTED + cut);
});

test("what a hostile text holds costs no more than its length", () => {
  // A pattern that goes back over a text would take hours for these, and the test's time would be up.
  for (const part of ["-eyJ", "sk-", "eyJaaaaaaaa.", "://a:", "-----BEGIN PRIVATE KEY-----\n1 ", "Authorization:"]) {
    const text = part.repeat(500_000 / part.length);
    expect(redactor.text(text).length).toBeGreaterThan(0);
    const stream = redactor.stream();
    for (let at = 0; at < text.length; at += 1000) stream.push(text.slice(at, at + 1000));
    stream.end();
  }
});
