import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { scriptOf, workOf } from "../work.ts";
import { playedModel } from "./played-model.ts";

/** Answers `server` with a model of the model server at that address, without it with one in the process. */
interface ModelChoice {
  /** What `nameOf` makes. */
  readonly name: string;
  readonly server?: string;
}

/** The one model of a subject, behind which another one stands in each turn, and what it was asked. */
export interface ObservedModel {
  readonly model: LanguageModelV4;
  /** Begins to count anew. */
  use(choice: ModelChoice): void;
  readonly calls: number;
  /** Of request bodies; 0 for a model in the process. */
  readonly bytes: number;
  /** The results of tools since the first call, as texts, in order. */
  answers(): string[];
}

export function observedModel(): ObservedModel {
  let current: LanguageModelV4 | undefined;
  let calls = 0;
  let bytes = 0;
  let seen: LanguageModelV4Prompt[number][] = [];
  const made = new Map<string, LanguageModelV4>();
  const countingFetch: typeof fetch = (input, init) => {
    // It is ASCII.
    if (typeof init?.body === "string") bytes += init.body.length;
    return fetch(input, init);
  };
  const make = ({ name, server }: ModelChoice): LanguageModelV4 =>
    server === undefined
      ? playedModel(scriptOf(workOf(name)))
      : createOpenAICompatible({ name: "server", baseURL: `${server}/v1`, fetch: countingFetch, includeUsage: true })(
          name,
        );
  return {
    model: {
      specificationVersion: "v4",
      provider: "observed",
      modelId: "observed",
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error("this model only streams")),
      async doStream(options) {
        if (!current) throw new Error("no model is in use");
        calls += 1;
        const last = options.prompt.at(-1);
        if (last?.role === "tool") seen.push(last);
        return current.doStream(options);
      },
    },
    use(choice) {
      const key = JSON.stringify(choice);
      current = made.get(key) ?? make(choice);
      made.set(key, current);
      calls = 0;
      bytes = 0;
      seen = [];
    },
    get calls() {
      return calls;
    },
    get bytes() {
      return bytes;
    },
    answers: () => seen.flatMap(textsOf),
  };
}

function textsOf({ content }: LanguageModelV4Prompt[number]): string[] {
  if (typeof content === "string") return [];
  return content.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { output } = part;
    if (output.type === "error-text" || output.type === "error-json" || output.type === "execution-denied") {
      return [`failed: ${JSON.stringify(output)}`];
    }
    // A peer answers with JSON in which texts are quoted.
    if (output.type === "json") return [textIn(output.value)];
    return [output.type === "text" ? output.value : textIn(output.value)];
  });
}

/** All texts in a value, one a line. */
function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(textIn).join("\n");
}
