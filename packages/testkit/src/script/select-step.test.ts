import { describe, expect, test } from "vitest";
import type { Conversation, SeenMessage } from "./conversation.ts";
import type { Script, ScriptStep } from "./script.ts";
import { selectStep } from "./select-step.ts";

const user = (text: string): SeenMessage => ({ role: "user", text });
const answer = (text = ""): SeenMessage => ({ role: "assistant", text, reasoning: "", calls: [] });
const result = (tool: string, text: string, isError?: boolean): SeenMessage =>
  isError === undefined ? { role: "tool", id: "1", tool, text } : { role: "tool", id: "1", tool, text, isError };
const talk = (...messages: SeenMessage[]): Conversation => ({ system: "", tools: "", messages });
const step = (text: string, when?: ScriptStep["when"]): ScriptStep => ({ say: [{ text }], ...(when ? { when } : {}) });
const script = (...steps: ScriptStep[]): Script => ({ model: "m", steps });
const on = (includes: string): ScriptStep["when"] => ({ prompt: { includes } });

/** The number of the step that answers, counted from 1. */
const pick = (played: Script, ...messages: SeenMessage[]): number => selectStep(played, talk(...messages)).index + 1;

describe("steps without conditions", () => {
  const linear = script(step("1"), step("2"), step("3"));

  test.each<[string, number, SeenMessage[]]>([
    ["the first call", 1, [user("a")]],
    ["after a tool result", 2, [user("a"), answer(), result("ls", "x")]],
    ["the next prompt", 2, [user("a"), answer("done"), user("b")]],
    ["steering after a tool result", 2, [user("a"), answer(), result("ls", "x"), user("also this")]],
    ["parallel results count once", 2, [user("a"), answer(), result("ls", "x"), result("ls", "y")]],
    ["no prompt at all", 1, []],
  ])("answer in order: %s", (_name, expected, messages) => {
    expect(pick(linear, ...messages)).toBe(expected);
  });

  test("that run out are an error which says what it saw", () => {
    const messages = [user("go on"), answer(), answer(), answer(), result("bash", "exit 1", true)];
    expect(() => pick(linear, ...messages)).toThrow(
      'script "m": the script has 3 answers, and this is call 4. It saw the prompt "go on" and the results bash (error): "exit 1".',
    );
  });
});

describe("sections", () => {
  const tour = script(step("1: unknown"), step("2", on("add")), step("3"), step("4", on("fix")), step("5"));

  test.each<[string, number, SeenMessage[]]>([
    ["a prompt that starts one", 2, [user("please add it")]],
    ["its second call", 3, [user("add"), answer(), result("ls", "")]],
    ["another section", 4, [user("add"), answer(), answer("done"), user("fix")]],
    ["the same one again, from its start", 2, [user("add"), answer(), answer("done"), user("add")]],
    ["steering that starts one", 4, [user("add"), answer(), result("ls", ""), user("no, fix")]],
    ["steering that starts none", 3, [user("add"), answer(), result("ls", ""), user("quickly"), user("please")]],
    ["an unknown prompt", 1, [user("add"), answer(), answer("done"), user("what?")]],
  ])("%s", (_name, expected, messages) => {
    expect(pick(tour, ...messages)).toBe(expected);
  });

  test("the steps before them go on where they stopped", () => {
    const mixed = script(step("1"), step("2"), step("3", on("add")));
    expect(pick(mixed, user("x"), answer("1"), user("add"), answer("3"), user("y"))).toBe(2);
  });

  test("an empty text matches every prompt", () => {
    const always = script(step("1", on("add")), step("2", on("")));
    expect(pick(always, user("x"), answer(), user("y"), answer(), user("z"))).toBe(2);
  });

  test("the condition may be repeated on each of its steps", () => {
    const repeated = script(step("1", on("add")), step("2", on("fix")), step("3", on("add")));
    expect(pick(repeated, user("add"), answer(), result("ls", ""))).toBe(3);
  });

  test("a file can start one", () => {
    const looks: ScriptStep["when"] = { prompt: { includes: "this", media: "image/" } };
    const some = script(step("1"), step("2", looks), step("3", { prompt: { media: "text/" } }));
    const image: SeenMessage = { role: "user", text: "what is this?", media: ["data:image/png;base64,AA=="] };
    expect(pick(some, image)).toBe(2);
    expect(pick(some, user("what is this?"))).toBe(1);
    expect(pick(some, { ...image, media: ["data:text/csv;base64,AA=="] })).toBe(3);
    expect(pick(some, { ...image, media: ["https://a.invalid/image/png"] })).toBe(1);
  });

  test("a prompt without a section is an error when no step stands before them", () => {
    const only = script(step("1", on("add")));
    expect(() => pick(only, user("what?"))).toThrow(
      "no section starts with this prompt, and there are no steps before",
    );
  });
});

describe("alternatives", () => {
  const failed: ScriptStep["when"] = { result: { tool: "bash", includes: "1 failed" } };
  const denied: ScriptStep["when"] = { result: { isError: true } };
  const branching = script(step("1"), step("2", failed), step("3", denied), step("4"), step("5"));
  const start = [user("test"), answer()];

  test.each<[string, number, SeenMessage[]]>([
    ["the first condition that holds", 2, [...start, result("bash", "1 failed", true)]],
    ["a later one", 3, [...start, result("bash", "no", true)]],
    ["none", 4, [...start, result("bash", "ok", false)]],
    ["another tool", 4, [...start, result("grep", "1 failed", false)]],
    ["one of parallel results", 2, [...start, result("bash", "ok", false), result("bash", "1 failed", false)]],
    [
      "not what an earlier call returned",
      5,
      [...start, result("bash", "1 failed", true), answer(), result("ls", "", false)],
    ],
  ])("%s", (_name, expected, messages) => {
    expect(pick(branching, ...messages)).toBe(expected);
  });

  test("can ask for a file in a result", () => {
    const looking = script(step("1"), step("2", { result: { media: "image/" } }), step("3"));
    const image = { ...result("read", ""), media: ["data:image/png;base64,AA=="] } as SeenMessage;
    expect(pick(looking, ...start, image)).toBe(2);
    expect(pick(looking, ...start, result("read", ""))).toBe(3);
  });

  test("without a step for the rest are an error", () => {
    const noRest = script(step("1"), step("2", failed));
    expect(() => pick(noRest, ...start, result("bash", "ok", false))).toThrow("none of the conditions of step 2 holds");
  });

  test("cannot ask for what the wire format does not tell", () => {
    expect(() => pick(branching, ...start, result("bash", "ok"))).toThrow("asks for isError");
  });
});
