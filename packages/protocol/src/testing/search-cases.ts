import { hasCode } from "../errors.ts";
import type { GrepEvent } from "../search.ts";
import { check, rejection } from "./check.ts";
import type { ContractCase } from "./contract-case.ts";
import { searchContentCases } from "./search-content-cases.ts";
import { searchFileCases } from "./search-file-cases.ts";
import { searchOptionCases } from "./search-option-cases.ts";
import { fill, glob, grep, type Run, same, type SearchSubject } from "./search-run.ts";

const LINES: Readonly<Record<string, Run>> = {
  "grep finds lines, in order of path": async (subject) => {
    const search = await fill(subject, { "/b": "x\nfoo\n", "/a/c": "foo", "/a/b": "no" });
    same(await grep(search, { pattern: "foo" }), ["/a/c:1:foo", "/b:2:foo"]);
    same(await grep(search, { pattern: "f.o$" }), ["/a/c:1:foo", "/b:2:foo"]);
    same(await grep(search, { pattern: "absent" }), []);
  },
  "literal text is not a pattern": async (subject) => {
    const search = await fill(subject, { "/a": "a.c\nabc\n(x\n" });
    same(await grep(search, { pattern: "a.c", literal: true }), ["/a:1:a.c"]);
    same(await grep(search, { pattern: "a.c" }), ["/a:1:a.c", "/a:2:abc"]);
    same(await grep(search, { pattern: "(", literal: true }), ["/a:3:(x"]);
  },
  "case and words": async (subject) => {
    const search = await fill(subject, { "/a": "Foo\nfoobar\na foo.\nÉté\n" });
    same(await grep(search, { pattern: "foo", ignoreCase: true }), ["/a:1:Foo", "/a:2:foobar", "/a:3:a foo."]);
    same(await grep(search, { pattern: "foo", word: true }), ["/a:3:a foo."]);
    same(await grep(search, { pattern: "foo|été", word: true, ignoreCase: true }), [
      "/a:1:Foo",
      "/a:3:a foo.",
      "/a:4:Été",
    ]);
  },
  "context is given once, and not as a match": async (subject) => {
    const search = await fill(subject, { "/a": "1\n2\nx3\n4\nx5\n6\n7\n8\nx9" });
    same(await grep(search, { pattern: "x", before: 1, after: 1 }), [
      "/a-2-2",
      "/a:3:x3",
      "/a-4-4",
      "/a:5:x5",
      "/a-6-6",
      "/a-8-8",
      "/a:9:x9",
    ]);
    same(await grep(search, { pattern: "x", after: 1, maxCount: 1 }), ["/a:3:x3", "/a-4-4"]);
  },
  "line ends are no part of a line": async (subject) => {
    const search = await fill(subject, { "/crlf": "one\r\ntwo\r\n", "/empty": "", "/blank": "\n\nx\n" });
    same(await grep(search, { pattern: "two" }), ["/crlf:2:two"]);
    same(await grep(search, { pattern: "^$" }), ["/blank:1:", "/blank:2:"]);
    same(await grep(search, { pattern: "[^a]*x" }), ["/blank:3:x"]);
    for (const pattern of ["one\\n", "one\n"]) {
      const error = await rejection(grep(search, { pattern }), "EINVAL for a line end without multiline");
      check(hasCode(error, "EINVAL"), `EINVAL, not ${String(error)}`);
    }
  },
  "a multiline match gives every line of it": async (subject) => {
    const search = await fill(subject, { "/a": "x {\n  y\n}\nz\nx {}\n" });
    same(await grep(search, { pattern: "x \\{[^}]*\\}", multiline: true }), [
      "/a:1:x {",
      "/a:2:  y",
      "/a:3:}",
      "/a:5:x {}",
    ]);
    same(await grep(search, { pattern: "y\\n\\}", multiline: true }), ["/a:2:  y", "/a:3:}"]);
    same(await grep(search, { pattern: "x.*y", multiline: true }), []);
    same(await grep(search, { pattern: "(?s)z.*x", multiline: true }), ["/a:4:z", "/a:5:x {}"]);
  },
  "a long line is cut": async (subject) => {
    const search = await fill(subject, { "/a": `${"é".repeat(600)} end\n` });
    for await (const event of search.grep({ pattern: "end" })) {
      if (event.type !== "file") continue;
      check(event.lines[0]?.text.length === 500 && event.lines[0].cut === true, "500 characters, and cut");
    }
  },
  "a pattern that is not valid is refused": async (subject) => {
    const search = await fill(subject, { "/a": "x" });
    for (const query of [{ pattern: "(" }, { pattern: "(?=x)" }, { pattern: "[" }, { pattern: "a)(b", word: true }]) {
      const error = await rejection(grep(search, query), "EINVAL");
      check(hasCode(error, "EINVAL"), `EINVAL for ${query.pattern}, not ${String(error)}`);
    }
  },
  "a pattern that would hang others does not": async (subject) => {
    const search = await fill(subject, { "/a": `${"a".repeat(5000)}\n` });
    same(await grep(search, { pattern: "(a+)+b$" }), []);
  },
};

const SCOPE: Readonly<Record<string, Run>> = {
  "ignore files hold at every level, the deeper one wins": async (subject) => {
    const search = await fill(subject, {
      "/.gitignore": "*.log\nbuild/\n/top.txt\n",
      "/a.log": "x",
      "/top.txt": "x",
      "/build/out": "x",
      "/sub/.gitignore": "!keep.log\n",
      "/sub/keep.log": "x",
      "/sub/b.log": "x",
      "/sub/top.txt": "x",
    });
    same(await grep(search, { pattern: "x" }), ["/sub/keep.log:1:x", "/sub/top.txt:1:x"]);
    same(await grep(search, { pattern: "x", path: "/sub" }), ["/sub/keep.log:1:x", "/sub/top.txt:1:x"]);
    same(await grep(search, { pattern: "x", path: "/build" }), ["/build/out:1:x"]);
    same(await grep(search, { pattern: "x", path: "/a.log" }), ["/a.log:1:x"]);
    check((await grep(search, { pattern: "x", noIgnore: true })).length === 6, "all six with noIgnore");
  },
  ".ignore and .rgignore win over .gitignore": async (subject) => {
    const search = await fill(subject, {
      "/.gitignore": "a\n",
      "/.ignore": "!a\nb\n",
      "/.rgignore": "!b\n",
      "/a": "x",
      "/b": "x",
    });
    same(await grep(search, { pattern: "x" }), ["/a:1:x", "/b:1:x"]);
  },
  "hidden names are left out unless asked for": async (subject) => {
    const search = await fill(subject, { "/.env": "x", "/.dir/a": "x", "/b": "x" });
    same(await grep(search, { pattern: "x" }), ["/b:1:x"]);
    same(await grep(search, { pattern: "x", hidden: true }), ["/.dir/a:1:x", "/.env:1:x", "/b:1:x"]);
    same(await grep(search, { pattern: "x", path: "/.dir" }), ["/.dir/a:1:x"]);
    same(await grep(search, { pattern: "x", path: "/.env" }), ["/.env:1:x"]);
  },
  "globs choose, the last one wins": async (subject) => {
    const search = await fill(subject, {
      "/a.ts": "x",
      "/a.test.ts": "x",
      "/src/b.ts": "x",
      "/c.js": "x",
      "/.gitignore": "c.js",
    });
    same(await grep(search, { pattern: "x", globs: ["*.ts", "!*.test.ts"] }), ["/a.ts:1:x", "/src/b.ts:1:x"]);
    same(await grep(search, { pattern: "x", globs: ["!src"] }), ["/a.test.ts:1:x", "/a.ts:1:x"]);
    same(await grep(search, { pattern: "x", globs: ["*.{js,md}"] }), ["/c.js:1:x"]);
    same(await grep(search, { pattern: "x", globs: ["src/**"] }), ["/src/b.ts:1:x"]);
    same(await grep(search, { pattern: "x", globs: ["src/*.ts"], path: "/src" }), ["/src/b.ts:1:x"]);
    same(await grep(search, { pattern: "x", globs: ["/b.ts"], path: "/src" }), []);
  },
  "binary files are counted, not searched": async (subject) => {
    await subject.fs.writeFileBytes("/bin", Uint8Array.of(0x78, 0, 0x78));
    const search = await fill(subject, { "/.env": "x", "/.gitignore": "ig", "/ig": "x", "/text": "x" });
    const events: GrepEvent[] = [];
    for await (const event of search.grep({ pattern: "x" })) events.push(event);
    const last = events.at(-1);
    check(events.length === 2 && last?.type === "summary", "one file and the summary");
    check(last.searched === 1 && last.binary === 1 && last.ignored === 1 && last.hidden === 2, "the right counts");
  },
  "a missing path is ENOENT": async (subject) => {
    const search = await fill(subject, { "/a": "x" });
    const error = await rejection(grep(search, { pattern: "x", path: "/none" }), "ENOENT");
    check(hasCode(error, "ENOENT"), `ENOENT, not ${String(error)}`);
  },
  "links are not followed": async (subject) => {
    await subject.fs.writeFile("/d/a", "x");
    await subject.fs.symlink("d", "/loop");
    await subject.fs.symlink("/", "/d/up");
    same(await grep(await subject.search(), { pattern: "x" }), ["/d/a:1:x"]);
  },
  "glob lists what matches": async (subject) => {
    const search = await fill(subject, {
      "/a.ts": "1",
      "/src/b.ts": "22",
      "/src/.h.ts": "",
      "/dist/c.ts": "",
      "/.gitignore": "dist",
    });
    same(await glob(search, { pattern: "*.ts" }), ["/a.ts", "/src/b.ts"]);
    same(await glob(search, { pattern: "src/*.ts" }), ["/src/b.ts"]);
    same(await glob(search, { pattern: "*.ts", path: "/src" }), ["/src/b.ts"]);
    same(await glob(search, { pattern: "**/*.ts", hidden: true, noIgnore: true }), [
      "/a.ts",
      "/dist/c.ts",
      "/src/.h.ts",
      "/src/b.ts",
    ]);
    for await (const event of search.glob({ pattern: "b.ts" })) {
      if (event.type === "entry") check(event.kind === "file" && event.size === 2, "kind and size");
    }
  },
  "a consumer may stop, and an abort throws its reason": async (subject) => {
    const search = await fill(subject, { "/a": "x", "/b": "x" });
    for await (const event of search.grep({ pattern: "x" })) {
      check(event.type === "file", "a file first");
      break;
    }
    const reason = new Error("enough");
    const run = async (): Promise<void> => {
      for await (const _ of search.grep({ pattern: "x" }, AbortSignal.abort(reason))) break;
    };
    check((await rejection(run(), "an abort")) === reason, "the signal's own reason");
  },
};

export const searchCases: readonly ContractCase<SearchSubject>[] = Object.entries({
  ...LINES,
  ...SCOPE,
  ...searchOptionCases,
  ...searchFileCases,
  ...searchContentCases,
}).map(([name, run]) => ({
  group: "Search",
  name,
  run: async (make) => {
    await using subject = await make();
    await run(subject);
  },
}));
