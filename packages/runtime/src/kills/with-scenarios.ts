import type { ToolTraits } from "@tenrec/protocol";
import type { ScriptPart } from "@tenrec/testkit";
import type { CodingTools } from "@tenrec/tools";
import { tool } from "ai";
import { z } from "zod";
import { withTraits } from "../tool-traits.ts";

/** A turn in which workerd is killed, and what must be there when it has come to its end. */
export interface TurnScenario {
  /** What the model says, one list for each call. */
  readonly says: readonly (readonly ScriptPart[])[];
  /** How the turn ends; default `done`. */
  readonly ends?: string;
  readonly files?: { readonly [path: string]: string };
  /** What ran once, by the tool's name and what it was given. Other tools with effects ran once at most. */
  readonly once?: readonly string[];
  /** What ran once more, since it had no result yet. */
  readonly again?: readonly string[];
}

const done: readonly ScriptPart[] = [{ text: "Done." }];

/** Long enough to come in many pieces. */
const WORDS = "The quick brown fox jumps over the lazy dog, again and again and again. ".repeat(4);

const TALK: readonly ScriptPart[] = [
  { reasoning: WORDS },
  { text: WORDS },
  { call: "save", input: { content: WORDS } },
];

/** By the name of the model that each session has. */
export const TURN_SCENARIOS: { readonly [model: string]: TurnScenario } = {
  work: {
    says: [
      [
        { reasoning: "A file, and an effect." },
        { delay: 100 },
        { call: "bash", input: { command: "echo x >> log.txt" } },
        { call: "deploy", input: {} },
      ],
      done,
    ],
    files: { "/log.txt": "x\n" },
  },
  talk: { says: [TALK, done], once: [`save ${WORDS}`] },
  together: {
    says: [["one", "two", "three"].map((call) => ({ call, input: {} })), done],
    once: ["one", "two"],
    again: ["three"],
  },
  question: { says: [[{ call: "publish", input: {} }], done], once: ["publish"] },
  loop: { says: [[{ call: "trap", input: {} }], done], ends: "recovery" },
  full: {
    says: [[{ call: "bash", input: { command: "echo x >> log.txt; mkdir dir; mv log.txt dir" } }], done],
    files: { "/dir/log.txt": "x\n" },
  },
  // Of the recorded journals, whose turn goes on here: the name of their model.
  model: { says: [[], done, done], files: { "/notes.txt": "one\ntwo\n" } },
};

/** What the tools of the scenarios need of the object that they run in. */
export interface ToolHost {
  /** Durable when it resolves. */
  record(run: string): Promise<void>;
  pass(place: string): Promise<void>;
  countResults(): number;
}

export function scenarioTools(base: CodingTools, host: ToolHost): CodingTools {
  const named = (name: string, traits: ToolTraits, execute: (input: object) => Promise<void>) => {
    const made = tool({
      description: name,
      inputSchema: z.looseObject({}),
      execute: async (input) => {
        await execute(input);
        return { text: `${name} is done` };
      },
    });
    return withTraits(made, traits);
  };
  const pure = { replay: "pure", permission: "read" } as const;
  const unsafe = { replay: "unsafe", permission: "edit" } as const;
  return {
    ...base,
    deploy: named("deploy", unsafe, () => host.record("deploy")),
    publish: named("publish", { ...unsafe, permission: "network" }, () => host.record("publish")),
    save: named("save", unsafe, (input) => host.record(`save ${"content" in input ? String(input.content) : ""}`)),
    one: named("one", pure, () => host.record("one")),
    two: named("two", pure, () => host.record("two")),
    three: named("three", pure, async () => {
      await host.record("three");
      while (host.countResults() < 2) await new Promise((wait) => setTimeout(wait, 10));
      await host.pass("three");
    }),
    trap: named("trap", pure, () => host.pass("trap")),
  };
}
