import { TenrecError } from "@tenrec/protocol";
import type { Conversation, SeenPrompt, SeenResult } from "./conversation.ts";
import { hasMedia, lastPrompt, lastResults } from "./conversation.ts";
import type { PromptCondition, ResultCondition, Script, ScriptStep } from "./script.ts";

/** The steps that can answer one call: any number with a condition on results, and at most one without, the last. */
type Answer = readonly Numbered[];

interface Numbered {
  readonly step: ScriptStep;
  /** Place in `script.steps`, counted from 0. */
  readonly index: number;
}

interface Section {
  /** What a user message must have to start it; absent for the steps before the first section. */
  readonly prompt?: PromptCondition;
  readonly answers: Answer[];
}

/**
 * The step that answers a call, from the conversation alone: a call that is repeated after a crash, or in another
 * process, gets the same answer. Throws `request-invalid` with what it looked for and what it saw.
 *
 * Steps answer in order, one per assistant message. A user message that contains the text of a section starts that
 * section (the first such one, from its first step). Any other user message goes on: right after tool results with the
 * section that is being played, else with the steps before the first section.
 */
export function selectStep(script: Script, conversation: Conversation): Numbered {
  const { section, position } = locate(sectionsOf(script), conversation);
  const fail = (problem: string): never => {
    const reason = `script "${script.model}": ${problem}. It saw ${describe(conversation)}.`;
    throw new TenrecError("request-invalid", { reason });
  };
  if (!section) return fail("no section starts with this prompt, and there are no steps before the first section");
  const answer = section.answers[position];
  if (!answer) {
    const name = section.prompt === undefined ? "the script" : `section ${nameOf(section.prompt)}`;
    return fail(`${name} has ${section.answers.length} answers, and this is call ${position + 1}`);
  }
  const results = lastResults(conversation);
  const found = answer.find(
    ({ step }) => !step.when || "prompt" in step.when || holds(step.when.result, results, fail),
  );
  const steps = answer.map(({ index }) => index + 1).join(", ");
  return found ?? fail(`none of the conditions of step ${steps} holds, and no step without one follows`);
}

function sectionsOf(script: Script): Section[] {
  let current: Section = { answers: [] };
  let open = false;
  const sections = [current];
  for (const [index, step] of script.steps.entries()) {
    const prompt = step.when && "prompt" in step.when ? step.when.prompt : current.prompt;
    if (prompt !== undefined && (!current.prompt || nameOf(prompt) !== nameOf(current.prompt))) {
      const known = sections.find((section) => section.prompt && nameOf(section.prompt) === nameOf(prompt));
      current = known ?? { prompt, answers: [] };
      if (!known) sections.push(current);
      open = false;
    }
    const conditional = step.when !== undefined && "result" in step.when;
    const last = current.answers.at(-1);
    if (open && last) current.answers[current.answers.length - 1] = [...last, { step, index }];
    else current.answers.push([{ step, index }]);
    open = conditional;
  }
  return sections;
}

function locate(sections: Section[], { messages }: Conversation): { section: Section | undefined; position: number } {
  const [preamble, ...prompted] = sections;
  const first = preamble?.answers.length ? preamble : undefined;
  const positions = new Map<Section | undefined, number>();
  let section = first;
  let before: "assistant" | "tool" | undefined;
  for (const message of messages) {
    if (message.role === "assistant") positions.set(section, (positions.get(section) ?? 0) + 1);
    if (message.role !== "user") {
      before = message.role;
      continue;
    }
    const started = prompted.find(({ prompt }) => prompt !== undefined && starts(prompt, message));
    if (started) {
      section = started;
      positions.set(started, 0);
    } else if (before !== "tool") section = first;
  }
  return { section, position: positions.get(section) ?? 0 };
}

function starts(wanted: PromptCondition, message: SeenPrompt): boolean {
  if (wanted.media !== undefined && !hasMedia(message, wanted.media)) return false;
  return message.text.includes(wanted.includes ?? "");
}

function nameOf({ includes = "", media }: PromptCondition): string {
  return JSON.stringify(includes) + (media === undefined ? "" : ` with ${media}`);
}

function holds(wanted: ResultCondition, results: readonly SeenResult[], fail: (problem: string) => never): boolean {
  return results.some((result) => {
    if (wanted.tool !== undefined && wanted.tool !== result.tool) return false;
    if (wanted.includes !== undefined && !result.text.includes(wanted.includes)) return false;
    if (wanted.media !== undefined && !hasMedia(result, wanted.media)) return false;
    if (wanted.isError === undefined) return true;
    if (result.isError === undefined)
      return fail("a condition asks for isError, which this wire format does not carry");
    return wanted.isError === result.isError;
  });
}

function describe(conversation: Conversation): string {
  const prompt = lastPrompt(conversation);
  const results = lastResults(conversation).map(({ tool, text, isError }) => {
    return `${tool}${isError ? " (error)" : ""}: ${excerpt(text)}`;
  });
  const seenPrompt = prompt === undefined ? "no prompt" : `the prompt ${excerpt(prompt)}`;
  return `${seenPrompt} and ${results.length === 0 ? "no tool result" : `the results ${results.join("; ")}`}`;
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
