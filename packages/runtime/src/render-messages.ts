import type { InputPart, Json, StepEndEvent, ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from "ai";

type UserPart = Exclude<UserModelMessage["content"], string>[number];
type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number];
type ToolPart = Extract<ToolModelMessage["content"][number], { type: "tool-result" }>;

export interface MessageOptions {
  /** The provider takes images in tool results; else they follow in a message of their own. */
  readonly mediaInResults: boolean;
}

/** What the messages of a step are made from, beside its end. */
export interface Steps {
  readonly calls: ReadonlyMap<string, ToolCallEvent>;
  readonly results: ReadonlyMap<string, ToolResultEvent>;
  /** Turns of which the end was taken back. */
  readonly cut: ReadonlySet<number>;
  readonly options: MessageOptions;
}

function filePart({ mediaType, url, filename }: Extract<InputPart, { type: "file" }>): UserPart {
  return { type: "file", data: url, mediaType, ...(filename === undefined ? {} : { filename }) };
}

/** `failed`: the turn ended before the model said anything, perhaps because of a file, so files are not sent again. */
export function userMessage(parts: readonly InputPart[], failed: boolean): UserModelMessage {
  return {
    role: "user",
    content: parts.map((part): UserPart => {
      if (part.type === "text") return { type: "text", text: part.text };
      if (!failed) return filePart(part);
      return { type: "text", text: `[${part.filename ?? part.mediaType} left out: the turn that it came with failed]` };
    }),
  };
}

/** Providers want an object as a call's arguments, also where the model wrote something else. */
function objectInput(input: Json): Json {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { invalid: input };
}

function metadata(value: Json | undefined): Pick<AssistantModelMessage, "providerOptions"> {
  return value === undefined ? {} : { providerOptions: value as NonNullable<AssistantModelMessage["providerOptions"]> };
}

function assistantParts(step: StepEndEvent, calls: readonly ToolCallEvent[]): AssistantPart[] {
  return step.content.flatMap((part): AssistantPart[] => {
    const extra = metadata(part.providerMetadata);
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text, ...extra }];
    if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...extra }];
    const call = calls.find((c) => c.toolCallId === part.toolCallId);
    if (!call) return [];
    const { toolCallId, toolName } = call;
    return [{ type: "tool-call", toolCallId, toolName, input: objectInput(call.input), ...extra }];
  });
}

const CUT_OFF = "There is no result: the call was cut off.";
const TAKEN_BACK = "The user took this call back: what it did is undone.";

function toolPart(call: ToolCallEvent, { results, cut, options }: Steps): ToolPart {
  const { toolCallId, toolName } = call;
  const result = results.get(callOf(call, toolCallId));
  const part = (output: ToolPart["output"]): ToolPart => ({ type: "tool-result", toolCallId, toolName, output });
  if (!result) return part({ type: "error-text", value: cut.has(call.turn) ? TAKEN_BACK : CUT_OFF });
  const { text: value, isError, media = [] } = result.output;
  if (isError) return part({ type: "error-text", value });
  if (media.length === 0 || !options.mediaInResults) return part({ type: "text", value });
  const files = media.map(({ mediaType, data }) => ({
    type: "file" as const,
    mediaType,
    data: { type: "data" as const, data },
  }));
  return part({ type: "content", value: [{ type: "text", text: value }, ...files] });
}

/** What a step adds: what the model said, then a result for every call in its order, whenever it came. */
export function stepMessages(step: StepEndEvent, steps: Steps): ModelMessage[] {
  const { calls, results, options } = steps;
  const ids = step.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
  const own = ids.flatMap((id) => calls.get(callOf(step, id)) ?? []);
  const parts = assistantParts(step, own);
  // Providers refuse a message without text and calls.
  if (!parts.some((part) => part.type !== "reasoning")) return [];
  const said: ModelMessage = { role: "assistant", content: parts };
  if (own.length === 0) return [said];
  const content = own.map((call) => toolPart(call, steps));
  const media = options.mediaInResults
    ? []
    : own.flatMap((call) => results.get(callOf(step, call.toolCallId))?.output.media ?? []);
  const files = media.map(({ mediaType, data }): UserPart => ({ type: "file", mediaType, data }));
  const shown: UserPart[] = [{ type: "text", text: "What the tools above returned:" }, ...files];
  return [said, { role: "tool", content }, ...(files.length > 0 ? [{ role: "user" as const, content: shown }] : [])];
}

/** Names a call within a session: engines may use an id again in another step. */
export function callOf({ turn, step }: { turn: number; step: number }, toolCallId: string): string {
  return `${turn} ${step} ${toolCallId}`;
}
