import type { GrepFile, GrepQuery, Search, SearchSummary } from "../search.ts";
import { check, rejection } from "./check.ts";
import { eventsOf, fill, grep, type Run, same } from "./search-run.ts";

async function filesOf(search: Search, query: GrepQuery): Promise<GrepFile[]> {
  return (await eventsOf(search, query)).filter((event) => event.type === "file");
}

async function summaryOf(search: Search, query: GrepQuery): Promise<SearchSummary> {
  const last = (await eventsOf(search, query)).at(-1);
  check(last?.type === "summary", "a summary at the end");
  return last;
}

function bytesOf(text: string, unit: "le" | "be"): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) bytes.setUint16(at * 2, text.charCodeAt(at), unit === "le");
  return new Uint8Array(bytes.buffer);
}

const BINARY: Readonly<Record<string, Run>> = {
  "a binary file that is named says that it matches": async (subject) => {
    const search = await fill(subject, { "/bin": "x\ny\0x\nx\n" });
    same(await grep(search, { pattern: "x" }), []);
    const named = await filesOf(search, { pattern: "x", path: "/bin" });
    check(
      named.length === 1 && named[0]?.binary === 3 && named[0].lines.length === 0,
      "one event, with the offset of the NUL",
    );
    same(await grep(search, { pattern: "z", path: "/bin" }), []);
    same(await grep(search, { pattern: "x", text: true }), ["/bin:1:x", "/bin:2:y\0x", "/bin:3:x"]);
    const [count] = await filesOf(search, { pattern: "x", path: "/bin", report: "count" });
    check(count?.matches === 3, "its lines can be counted");
  },
  "a search stops at a NUL that comes late": async (subject) => {
    const search = await fill(subject, { "/a": `x\n${"\n".repeat(70_000)}x\0\nx\n` });
    same(await grep(search, { pattern: "x" }), ["/a:1:x", "/a:70002:x"]);
    const [event] = await filesOf(search, { pattern: "x" });
    check(event?.binary === 70_003, "where it stopped");
    check((await summaryOf(search, { pattern: "x" })).binary === 1, "it is counted as binary");
    same(await grep(search, { pattern: "x", path: "/a" }), ["/a:1:x"]);
    check((await filesOf(search, { pattern: "x", path: "/a" })).at(-1)?.binary === 70_003, "that there is more");
    check((await filesOf(search, { pattern: "x", report: "count" })).length === 0, "no count of a part");
  },
  "marks of UTF-8 and of UTF-16": async (subject) => {
    const text = "\ufeffée\nx é😀\n";
    const search = await fill(subject, { "/be": bytesOf(text, "be"), "/le": bytesOf(text, "le"), "/utf8": text });
    same(await grep(search, { pattern: "^ée" }), ["/be:1:ée", "/le:1:ée", "/utf8:1:ée"]);
    same(await grep(search, { pattern: "😀" }), ["/be:2:x é😀", "/le:2:x é😀", "/utf8:2:x é😀"]);
    check((await summaryOf(search, { pattern: "x" })).binary === 0, "none is binary");
  },
  "what is not UTF-8 hides nothing": async (subject) => {
    const search = await fill(subject, { "/a": Uint8Array.of(0xff, 0x78, 10, 0xc3, 0x78, 10) });
    same(await grep(search, { pattern: "x" }), ["/a:1:\ufffdx", "/a:2:\ufffdx"]);
    same(await grep(search, { pattern: "^.x" }), []);
  },
};

const LARGE: Readonly<Record<string, Run>> = {
  "many lines come in several events": async (subject) => {
    const search = await fill(subject, { "/a": "x\n".repeat(2500), "/b": "x" });
    const events = await filesOf(search, { pattern: "x" });
    const lines = events.flatMap((event) => event.lines);
    check(events.length > 2 && events.every((event) => event.lines.length <= 1000), "events of a thousand lines");
    check(
      events.every((event) => event.matches === event.lines.length),
      "with a count each",
    );
    const first = events.filter((event) => event.continued !== true).map(({ path }) => path);
    same(first, ["/a", "/b"]);
    check(lines.length === 2501 && lines[2499]?.line === 2500, "all of them, in order");
  },
  "a file of some megabytes is one text": async (subject) => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `row ${row} ${"é".repeat(20)}`);
    const search = await fill(subject, { "/a": `${rows.join("\n")}\nend` });
    same(
      await grep(search, { pattern: "^row (?:4|29999) |end" }).then((lines) => lines.map((line) => line.slice(0, 14))),
      ["/a:5:row 4 ééé", "/a:30000:row 2", "/a:30001:end"],
    );
    const all = await grep(search, { pattern: "^row \\d*7 ", before: 1, after: 2 });
    const numbers = all.map((line) => Number(/^\/a[:-](\d+)/.exec(line)?.[1]));
    const wanted = Array.from({ length: 3000 }, (_, ten) => [7, 8, 9, 10].map((digit) => ten * 10 + digit)).flat();
    check(numbers.join() === wanted.join(), "context over every border");
    const [count] = await filesOf(search, { pattern: "row", report: "count" });
    check(count?.matches === 30_000, "every line is counted");
    const tail = await grep(search, { pattern: "row 10 ", after: 29_989, maxCount: 1 });
    check(tail.length === 29_990 && tail.at(-1)?.startsWith("/a-30000-") === true, "context to the end");
    const [block] = await filesOf(search, { pattern: "(?s)row 14999 .*row 15001 ", multiline: true });
    check(block?.matches === 1 && block.lines.length === 3 && block.lines[0]?.line === 15_000, "a match over lines");
  },
  "an abort ends a search in the middle of a file": async (subject) => {
    const search = await fill(subject, { "/a": "x\n".repeat(200_000) });
    const reason = new Error("enough");
    const abort = new AbortController();
    let events = 0;
    const run = async (): Promise<void> => {
      for await (const _ of search.grep({ pattern: "x" }, abort.signal)) if (++events === 1) abort.abort(reason);
    };
    check((await rejection(run(), "an abort")) === reason, "the signal's own reason");
    check(events < 50, `a few of 200 events, not ${events}`);
  },
  "a line of megabytes is searched as far as its first four": async (subject) => {
    const mib = 1024 * 1024;
    const search = await fill(subject, { "/a": `${"x".repeat(3 * mib)}y${"x".repeat(3 * mib)}z\nend z\n` });
    const lines = (await filesOf(search, { pattern: "y|z" })).flatMap((event) => event.lines);
    check(lines.length === 2 && lines[0]?.line === 1 && lines[1]?.line === 2, "two lines");
    check(lines[0].text.includes("y") && lines[0].cut === true && lines[0].text.length === 500, "cut around the match");
    check((await summaryOf(search, { pattern: "z" })).longLines === 1, "and that it was not searched to its end");
  },
  "a large file is left out where a match may span lines": async (subject) => {
    const search = await fill(subject, { "/a": `a\nb\n${"x".repeat(99)}\n`.repeat(170_000) });
    check((await summaryOf(search, { pattern: "a\\nb", multiline: true })).large === 1, "it is counted");
    check(
      (await grep(search, { pattern: "a", multiline: true, maxCount: 2 })).length === 2,
      "a line needs no whole text",
    );
  },
};

export const searchFileCases: Readonly<Record<string, Run>> = { ...BINARY, ...LARGE };
