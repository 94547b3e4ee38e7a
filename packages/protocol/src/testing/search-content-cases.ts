import type { ContentQuery, GrepEvent, GrepQuery, Search } from "../search.ts";
import { check, rejection } from "./check.ts";
import { eventsOf, fill, type Run, same } from "./search-run.ts";

async function inContent(search: Search, content: string, query: ContentQuery): Promise<GrepEvent[]> {
  const events: GrepEvent[] = [];
  for await (const event of search.grepContent(new TextEncoder().encode(content), "<stdin>", query)) events.push(event);
  return events;
}

function shown(events: readonly GrepEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "file"
      ? event.lines.map(({ line, text, match }) => `${event.path}${match ? ":" : "-"}${line} ${text}`)
      : [],
  );
}

async function leftOut(search: Search, query: Partial<GrepQuery>): Promise<string[]> {
  const summary = (await eventsOf(search, { pattern: "x", explain: true, ...query })).at(-1);
  const left = summary?.type === "summary" ? summary.leftOut : undefined;
  return (left ?? [{ path: "nothing told", why: "hidden" as const }]).map((one) =>
    one.why === "ignored" ? `${one.path} ${one.rule} ${one.file}` : `${one.path} ${one.why}`,
  );
}

/** Contents that are in no tree, where lines are in a file, and what is left out by which rule. */
export const searchContentCases: Readonly<Record<string, Run>> = {
  "a content that is in no tree": async (subject) => {
    const search = await fill(subject, { "/a": "x" });
    same(shown(await inContent(search, "a\nx\nb\n", { pattern: "x", before: 1 })), ["<stdin>-1 a", "<stdin>:2 x"]);
    same(shown(await inContent(search, "a\nb", { pattern: "a\\nb", multiline: true })), ["<stdin>:1 a", "<stdin>:2 b"]);
    const long = `${"y\n".repeat(1_000_000)}x`;
    same(shown(await inContent(search, long, { pattern: "x" })), ["<stdin>:1000001 x"]);
    const [binary] = await inContent(search, "x\0x", { pattern: "x" });
    check(binary?.type === "file" && binary.binary === 1, "a NUL where it is");
    const summary = (await inContent(search, "a", { pattern: "x" })).at(-1);
    check(summary?.type === "summary" && summary.searched === 1, "a summary at the end");
    await rejection(inContent(search, "a", { pattern: "(" }), "EINVAL");
  },
  "where a line is in its file": async (subject) => {
    const search = await fill(subject, { "/a": "\ufeffé\nx\r\nx\n\nx" });
    const place = async (query: Partial<GrepQuery>): Promise<string> => {
      const events = await eventsOf(search, { pattern: "x", ...query });
      const lines = events.flatMap((event) => (event.type === "file" ? event.lines : []));
      return lines.map((line) => `${line.offset}${line.open ? " open" : ""}`).join();
    };
    same([await place({ places: true })], ["3,6,9 open"]);
    same([await place({ places: true, invert: true })], ["0,8"]);
    same([await place({})], ["undefined,undefined,undefined"]);
    const large = await inContent(search, `${"y\n".repeat(1_000_000)}x`, { pattern: "x", places: true });
    const [line] = large[0]?.type === "file" ? large[0].lines : [];
    check(line?.offset === 2_000_000 && line.open === true, "behind a window, too");
  },
  "binary files that are not named, and counts of nothing": async (subject) => {
    const search = await fill(subject, { "/a": "x", "/b": "x\0x", "/c": "y", "/d": "y\0y" });
    const shown = async (query: Partial<GrepQuery>): Promise<string[]> => {
      const events = await eventsOf(search, { pattern: "x", ...query });
      return events.flatMap((event) =>
        event.type === "file" ? [`${event.path} ${event.matches} ${event.binary}`] : [],
      );
    };
    same(await shown({}), ["/a 1 undefined"]);
    same(await shown({ binary: true }), ["/a 1 undefined", "/b 1 1"]);
    same(await shown({ report: "count" }), ["/a 1 undefined"]);
    same(await shown({ report: "count", zero: true }), ["/a 1 undefined", "/c 0 undefined"]);
    same(await shown({ report: "count", zero: true, binary: true }), [
      "/a 1 undefined",
      "/b 2 undefined",
      "/c 0 undefined",
      "/d 0 undefined",
    ]);
  },
  "what is left out, and by which rule": async (subject) => {
    const search = await fill(subject, {
      "/.gitignore": "dist/\n*.log\n!keep.log\n",
      "/dist/a": "x",
      "/src/.ignore": "gen",
      "/src/gen/b": "x",
      "/src/c.log": "x",
      "/src/keep.log": "y",
      "/src/.env": "x",
    });
    const hidden = ["/.gitignore hidden", "/src/.env hidden", "/src/.ignore hidden"];
    const ignored = ["/dist dist/ /.gitignore", "/src/c.log *.log /.gitignore", "/src/gen gen /src/.ignore"];
    same((await leftOut(search, {})).toSorted(), [...hidden, ...ignored].toSorted());
    same((await leftOut(search, { hidden: true })).toSorted(), ignored);
    same((await leftOut(search, { noIgnore: true })).toSorted(), hidden);
    same(await leftOut(search, { explain: false }), ["nothing told hidden"]);
  },
  "no more than 100 of what is left out": async (subject) => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`/.${at}`, "x"]));
    check((await leftOut(await fill(subject, files), {})).length === 100, "100");
  },
};
