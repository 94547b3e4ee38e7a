import type { DurableEventBody, ErrorJson, Json, StepContent } from "@tenrec/protocol";
import { type Redactor, REDACTED } from "./redactor.ts";

/** Files in Base64: nothing can be read in them, and a change would break them. */
function isFile(key: string, value: string, owner: object): boolean {
  return (key === "data" && "mediaType" in owner) || /^data:[^,]*;base64,/.test(value.slice(0, 200));
}

function redactField(key: string, value: unknown, owner: object, redactor: Redactor): unknown {
  if (typeof value === "string") return isFile(key, value, owner) ? value : redactor.text(value);
  return redactValue(value, redactor);
}

/** The value itself when there is nothing to redact in it. */
function redactValue<T>(value: T, redactor: Redactor): T {
  if (typeof value === "string") return redactor.text(value) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactValue(item, redactor));
    return items.some((item, i) => item !== value[i]) ? (items as T) : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => {
    const entry: [string, unknown] = [redactor.text(key), redactField(key, field, value, redactor)];
    changed ||= entry[0] !== key || entry[1] !== field;
    return entry;
  });
  return changed ? (Object.fromEntries(entries) as T) : value;
}

/** A provider's signature is for the text as the model wrote it, and a provider refuses it with another. */
function unsigned(part: StepContent, original: StepContent | undefined): StepContent {
  if (part.type !== "reasoning" || original?.type !== "reasoning" || part.text === original.text) return part;
  return { type: "reasoning", text: part.text };
}

/** The event as it may be stored. */
export function redactEvent(event: DurableEventBody, redactor: Redactor): DurableEventBody {
  const redacted = redactValue(event, redactor);
  if (redacted.type === "tool-result") {
    const text = redactor.cutText(redacted.output.text);
    return text === redacted.output.text ? redacted : { ...redacted, output: { ...redacted.output, text } };
  }
  if (redacted === event || redacted.type !== "step-end" || event.type !== "step-end") return redacted;
  return { ...redacted, content: redacted.content.map((part, i) => unsigned(part, event.content[i])) };
}

export function redactError(error: ErrorJson, redactor: Redactor): ErrorJson {
  return redactValue(error, redactor);
}

/** Whether something stands in for a secret in a call's arguments: run, it would put the stand-in in the secret's place. */
export function isRedacted(input: Json): boolean {
  return JSON.stringify(input).includes(REDACTED);
}
