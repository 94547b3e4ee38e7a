import { hasCode } from "../errors.ts";
import type { GrepQuery } from "../search.ts";
import { check, rejection } from "./check.ts";
import { eventsOf, fill, glob, grep, type Run, same } from "./search-run.ts";

const SPANS: Readonly<Record<string, Run>> = {
  "spans say where a line matches": async (subject) => {
    const search = await fill(subject, { "/a": "é foo Foo\nfoofoo\n" });
    const spans = async (query: Partial<GrepQuery>): Promise<string> => {
      const events = await eventsOf(search, { pattern: "foo", spans: true, ...query });
      const lines = events.flatMap((event) => (event.type === "file" ? event.lines : []));
      return lines.map((line) => JSON.stringify(line.spans)).join(" ");
    };
    same([await spans({})], ["[[2,5]] [[0,3],[3,6]]"]);
    same([await spans({ ignoreCase: true })], ["[[2,5],[6,9]] [[0,3],[3,6]]"]);
    same([await spans({ pattern: "fo+?" })], ["[[2,4]] [[0,2],[3,5]]"]);
    same([await spans({ pattern: "Foo\\nfoo", multiline: true })], ["[[6,9]] [[0,3]]"]);
    same(
      [await spans({ spans: false })],
      [
        "undefined undefined"
          .split(" ")
          .map(() => "")
          .join(" "),
      ],
    );
  },
  "a long line is shown around its match": async (subject) => {
    const search = await fill(subject, { "/a": `${"é".repeat(300)}${"x".repeat(5000)} here ${"y".repeat(5000)}\n` });
    for (const maxLineLength of [500, 80]) {
      const query = { pattern: "here", spans: true, ...(maxLineLength === 500 ? {} : { maxLineLength }) };
      const [event] = await eventsOf(search, query);
      const line = event?.type === "file" ? event.lines[0] : undefined;
      check(line?.text.length === maxLineLength && line.cut === true, `${maxLineLength} characters, and cut`);
      const [start, end] = line.spans?.[0] ?? [0, 0];
      check(line.text.slice(start, end) === "here", "the match in it");
      check((line.skipped ?? 0) + start === 5601, "how much is before it");
    }
  },
};

const MATCHING: Readonly<Record<string, Run>> = {
  "smart case": async (subject) => {
    const search = await fill(subject, { "/a": "foo\nFoo\n" });
    same(await grep(search, { pattern: "foo", smartCase: true }), ["/a:1:foo", "/a:2:Foo"]);
    same(await grep(search, { pattern: "Foo", smartCase: true }), ["/a:2:Foo"]);
    same(await grep(search, { pattern: "\\Sfoo|foo\\W?", smartCase: true }), ["/a:1:foo", "/a:2:Foo"]);
    same(await grep(search, { pattern: "foo" }), ["/a:1:foo"]);
  },
  "lines that do not match, and whole lines": async (subject) => {
    const search = await fill(subject, { "/a": "x\ny\nxx\n\nz" });
    same(await grep(search, { pattern: "x", invert: true }), ["/a:2:y", "/a:4:", "/a:5:z"]);
    same(await grep(search, { pattern: "x", invert: true, after: 1, maxCount: 1 }), ["/a:2:y", "/a-3-xx"]);
    same(await grep(search, { pattern: "x", wholeLine: true }), ["/a:1:x"]);
    same(await grep(search, { pattern: "x|y", wholeLine: true, literal: false }), ["/a:1:x", "/a:2:y"]);
  },
  "several patterns and several paths": async (subject) => {
    const search = await fill(subject, { "/a/1": "x\ny\nz\n", "/b/1": "x", "/c": "x" });
    same(await grep(search, { pattern: ["x", "z"], path: "/a" }), ["/a/1:1:x", "/a/1:3:z"]);
    same(await grep(search, { pattern: [], path: "/a" }), []);
    same(await grep(search, { pattern: "x", path: ["/c", "/a"] }), ["/c:1:x", "/a/1:1:x"]);
  },
  "a carriage return at the end of a line": async (subject) => {
    const search = await fill(subject, { "/a": "foo\r\nfoo\n" });
    same(await grep(search, { pattern: "foo$" }), ["/a:2:foo"]);
    same(await grep(search, { pattern: "foo$", crlf: true }), ["/a:1:foo", "/a:2:foo"]);
    const [event] = await eventsOf(search, { pattern: "foo" });
    check(
      event?.type === "file" && event.lines.map(({ crlf }) => crlf === true).join() === "true,false",
      "which have one",
    );
    const [ending] = await eventsOf(search, { pattern: "\\s", spans: true });
    const spans = ending?.type === "file" ? ending.lines[0]?.spans : undefined;
    check(spans?.join() === "3,3", "where it alone matches: at the end of the text");
  },
  "a carriage return as a part of the text": async (subject) => {
    const search = await fill(subject, { "/a": "foo\r\nfoo\n" });
    const [event] = await eventsOf(search, { pattern: "\\s|foo$", spans: true, keepReturns: true });
    const lines = event?.type === "file" ? event.lines : [];
    same(
      lines.map(({ text, crlf = false, spans = [] }) => `${JSON.stringify(text)} ${crlf} ${spans.join(" ")}`),
      ['"foo\\r" false 3,4', '"foo" false 0,3'],
    );
  },
  "a carriage return that no class matches": async (subject) => {
    const search = await fill(subject, { "/a": "f\r\nf \r\n" });
    same(await grep(search, { pattern: "[^f]", crlf: true }), ["/a:2:f "]);
    same(await grep(search, { pattern: "\\s$", crlf: true }), ["/a:2:f "]);
    same(await grep(search, { pattern: "\\r", crlf: true }), ["/a:1:f", "/a:2:f "]);
  },
  "context of lines that do not match": async (subject) => {
    const search = await fill(subject, { "/a": "foo\nbar\n" });
    const [event] = await eventsOf(search, { pattern: "o+", invert: true, before: 1, spans: true });
    const lines = event?.type === "file" ? event.lines : [];
    same(
      lines.map(({ text, match, spans = [] }) => `${text} ${match} ${spans.join(" ")}`),
      ["foo false 1,3", "bar true "],
    );
  },
  "a dot over lines, and a limit on matches of several lines": async (subject) => {
    const search = await fill(subject, { "/a": "a\nb\na\nb\n" });
    same(await grep(search, { pattern: "a.b", multiline: true }), []);
    same(await grep(search, { pattern: "a.b", multiline: true, dotAll: true, maxCount: 1 }), ["/a:1:a", "/a:2:b"]);
    same(await grep(search, { pattern: "b\\na", multiline: true, invert: true }), ["/a:1:a", "/a:4:b"]);
  },
  "Unicode, as Rust has it": async (subject) => {
    const search = await fill(subject, { "/a": "é1\nÀéß\n日本 x\nſ\n" });
    same(await grep(search, { pattern: "^\\w\\d$" }), ["/a:1:é1"]);
    same(await grep(search, { pattern: "\\p{Lu}" }), ["/a:2:Àéß"]);
    same(await grep(search, { pattern: "\\b本\\b" }), []);
    same(await grep(search, { pattern: "\\p{Han}{2}\\b" }), ["/a:3:日本 x"]);
    same(await grep(search, { pattern: "^.$" }), ["/a:4:ſ"]);
    same(await grep(search, { pattern: "àÉSS|S", ignoreCase: true }), ["/a:4:ſ"]);
  },
};

const REPORTS: Readonly<Record<string, Run>> = {
  "counts, and files with and without a match": async (subject) => {
    const search = await fill(subject, { "/a": "x x\nx\ny\n", "/b": "y", "/c": "x" });
    const report = async (query: Omit<GrepQuery, "pattern">): Promise<string[]> => {
      const events = await eventsOf(search, { pattern: "x", ...query });
      return events.flatMap((event) =>
        event.type === "file" ? [`${event.path} ${event.matches} ${event.lines.length}`] : [],
      );
    };
    same(await report({ report: "count" }), ["/a 2 0", "/c 1 0"]);
    same(await report({ report: "count-matches" }), ["/a 3 0", "/c 1 0"]);
    same(await report({ report: "count-matches", invert: true }), ["/a 1 0", "/b 1 0"]);
    same(await report({ report: "count", maxCount: 1 }), ["/a 1 0", "/c 1 0"]);
    same(await report({ report: "files" }), ["/a 1 0", "/c 1 0"]);
    same(await report({ report: "files", maxCount: 0 }), []);
    same(await report({ report: "files-without-match" }), ["/b 0 0"]);
    same(await report({}), ["/a 2 2", "/c 1 1"]);
  },
};

const CHOICE: Readonly<Record<string, Run>> = {
  "types of files": async (subject) => {
    const search = await fill(subject, {
      "/a.ts": "x",
      "/b.py": "x",
      "/c": "x",
      "/Makefile": "x",
      "/d.mine": "x",
      "/.e.ts": "x",
    });
    const find = (query: Omit<GrepQuery, "pattern">): Promise<string[]> => grep(search, { pattern: "x", ...query });
    same(await find({ types: ["ts"] }), ["/.e.ts:1:x", "/a.ts:1:x"]);
    same(await find({ types: ["py", "make"] }), ["/Makefile:1:x", "/b.py:1:x"]);
    same(await find({ typesNot: ["py", "make", "ts"] }), ["/c:1:x", "/d.mine:1:x"]);
    same(await find({ types: ["mine"], typeGlobs: { mine: ["*.mine", "c"] } }), ["/c:1:x", "/d.mine:1:x"]);
    same(await find({ types: ["py"], path: "/c" }), ["/c:1:x"]);
    same(await find({ types: ["py"], globs: ["*.ts"] }), ["/.e.ts:1:x", "/a.ts:1:x"]);
    const error = await rejection(find({ types: ["tsx"] }), "EINVAL");
    check(
      hasCode(error, "EINVAL") && / ts\b/.test(error.data.reason ?? ""),
      `the type that has it, not ${String(error)}`,
    );
  },
  "globs whatever the case": async (subject) => {
    const search = await fill(subject, { "/A.TS": "x", "/b.ts": "x" });
    same(await grep(search, { pattern: "x", globs: ["a.*"] }), []);
    same(await grep(search, { pattern: "x", globs: ["a.*"], globsIgnoreCase: true }), ["/A.TS:1:x"]);
    same(await glob(search, { pattern: "*.TS" }), ["/A.TS"]);
    same(await glob(search, { pattern: "*.TS", ignoreCase: true }), ["/A.TS", "/b.ts"]);
    for (const globs of [["a["], ["{a"], ["a}"]]) {
      const error = await rejection(grep(search, { pattern: "x", globs }), "EINVAL");
      check(hasCode(error, "EINVAL"), `EINVAL for ${globs.join()}, not ${String(error)}`);
    }
  },
  "some ignore files, and others": async (subject) => {
    const search = await fill(subject, {
      "/.gitignore": "a",
      "/d/.ignore": "b",
      "/d/a": "x",
      "/d/b": "x",
      "/d/c": "x",
      "/more": "c\n!d/a\n",
      "/d/.gitignore": "a[",
    });
    const find = (query: Omit<GrepQuery, "pattern">): Promise<string[]> =>
      grep(search, { pattern: "x", path: "/d", ...query });
    same(await find({}), ["/d/c:1:x"]);
    same(await find({ noIgnore: ["vcs"] }), ["/d/a:1:x", "/d/c:1:x"]);
    same(await find({ noIgnore: ["dot"] }), ["/d/b:1:x", "/d/c:1:x"]);
    same(await find({ noIgnore: ["parent"] }), ["/d/a:1:x", "/d/c:1:x"]);
    same(await find({ noIgnore: true, ignoreFiles: ["/more"] }), ["/d/a:1:x", "/d/b:1:x", "/d/c:1:x"]);
    same(await find({ ignoreFiles: ["/more", "/none"] }), []);
    same(await find({ ignoreFiles: ["/more"], noIgnore: ["vcs", "dot"] }), ["/d/a:1:x", "/d/b:1:x"]);
  },
  "depth and size": async (subject) => {
    const search = await fill(subject, { "/a": "x", "/d/b": "x", "/d/e/c": "x", "/big": `x${"\n".repeat(100)}` });
    same(await grep(search, { pattern: "x", maxDepth: 1 }), ["/a:1:x", "/big:1:x"]);
    same(await grep(search, { pattern: "x", maxDepth: 1, path: "/d" }), ["/d/b:1:x"]);
    same(await grep(search, { pattern: "x", maxDepth: 2, maxFileSize: 100 }), ["/a:1:x", "/d/b:1:x"]);
    same(await grep(search, { pattern: "x", path: "/big", maxFileSize: 100 }), ["/big:1:x"]);
    const last = (await eventsOf(search, { pattern: "x", maxFileSize: 100 })).at(-1);
    check(last?.type === "summary" && last.large === 1 && last.searched === 3, "the large one is counted");
  },
  "links are followed when that is asked for": async (subject) => {
    await subject.fs.writeFile("/d/a", "x");
    await subject.fs.mkdir("/s/t", { recursive: true });
    await subject.fs.symlink("/d", "/s/t/in");
    await subject.fs.symlink("/s", "/s/t/up");
    await subject.fs.symlink("self", "/s/self");
    await subject.fs.symlink("none", "/s/broken");
    await subject.fs.symlink("../d/a", "/s/file");
    await subject.fs.symlink("..", "/d/out");
    const search = await subject.search();
    same(await grep(search, { pattern: "x", path: "/s" }), []);
    const followed = await grep(search, { pattern: "x", path: "/s", follow: true });
    same(followed, ["/s/file:1:x", "/s/t/in/a:1:x"]);
  },
};

export const searchOptionCases: Readonly<Record<string, Run>> = {
  ...SPANS,
  ...MATCHING,
  ...REPORTS,
  ...CHOICE,
};
