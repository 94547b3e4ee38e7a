import type { CompatibleModel } from "./compatible-model.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const SOURCES: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  "openai-compatible": "OPENAI_BASE_URL",
};

/** Says which model answers, and what it was chosen by. */
export function modelNote(model: string, variables: Variables, endpoint: CompatibleModel | undefined): string {
  if (endpoint && "problem" in endpoint)
    return `${endpoint.problem}\nUntil then there is no model, and no session is played.`;
  const provider = model.slice(0, model.indexOf("/"));
  if (provider === "scripted") {
    return [
      "No key for a model is set, so a script plays the model. Its tool calls and their changes are real.",
      "For a real model set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL and start again.",
    ].join("\n");
  }
  const named = variables["TENREC_MODEL"] !== undefined && endpoint === undefined;
  const source = SOURCES[provider];
  if (named) return `The model is ${model}, because of TENREC_MODEL.`;
  if (source === undefined || !(source in variables)) return `The model is ${model}, as the Worker names it.`;
  return `The model is ${model}, because of ${source}.`;
}
