import type { StreamedDelta } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { freshEvents } from "./client/fresh-events.ts";
import { Deltas } from "./deltas.ts";
import { createRedactor, REDACTED } from "./redaction/redactor.ts";
import { stamped, stepEnd, stepStart } from "./with-events.ts";

const SECRET = `ghp_${"a1".repeat(18)}`;

function recorded(): { deltas: Deltas; heard: StreamedDelta[]; say: (text: string, id?: string) => void } {
  const deltas = new Deltas(createRedactor(["s3cr3t-word"]));
  const heard: StreamedDelta[] = [];
  deltas.listen((delta) => heard.push(delta));
  const say = (text: string, id = "0"): void => deltas.add("s", { type: "text-delta", turn: 1, step: 1, id, text });
  return { deltas, heard, say };
}

function joined(heard: readonly StreamedDelta[]): string {
  return heard.map(({ text }) => text).join("");
}

test.each([1, 2, 5, 60])("a secret in pieces of %i is not heard, and what is heard has no gap", (size) => {
  const { deltas, heard, say } = recorded();
  const text = `My token is ${SECRET}, and s3cr3t-word is gone, but s3cr3ts stay.`;
  for (let at = 0; at < text.length; at += size) say(text.slice(at, at + size));
  deltas.settle(stamped([stepEnd(1, text)]));
  expect(joined(heard)).toBe(`My token is ${REDACTED}, and ${REDACTED} is gone, but s3cr3ts stay.`);
  let end = 0;
  for (const delta of heard) {
    expect(delta.offset).toBe(end);
    end += delta.text.length;
  }
});

test("what may become a secret is told when its text has ended, before the event that ends it", () => {
  const { deltas, heard, say } = recorded();
  say("Use the prefix ghp_");
  expect(joined(heard)).toBe("Use the prefix ");
  deltas.settle(stamped([stepEnd(1, "")]));
  expect(joined(heard)).toBe("Use the prefix ghp_");
  expect(deltas.open("s")).toEqual([]);
});

test("blocks are told apart, and a step that begins anew begins anew", () => {
  const { deltas, heard, say } = recorded();
  say("s3cr3t-", "0");
  say("word", "1");
  expect(joined(heard)).toBe("word");
  deltas.settle(stamped([stepStart(1, 2)]));
  heard.length = 0;
  say("word");
  expect(heard).toMatchObject([{ text: "word", offset: 0 }]);
});

test("a watcher that comes late is told the text so far without what is held back, and then the rest", () => {
  const { deltas, heard, say } = recorded();
  say("The word is s3cr3t");
  const fresh = freshEvents(0);
  const seen = deltas.open("s").map((delta) => fresh.take(delta));
  expect(seen).toMatchObject([{ text: "The word is ", offset: 0 }]);
  heard.length = 0;
  say("-word.");
  expect(heard.map((delta) => fresh.take(delta))).toMatchObject([{ text: `${REDACTED}.`, offset: 12 }]);
});
