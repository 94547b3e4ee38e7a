import type { Json } from "@tenrec/protocol";

/** The arguments of a call for a person: each field under its name, texts as they are and not as JSON writes them. */
export function argumentText(input: Json): string {
  return [...lines("", input)].join("\n");
}

function* lines(name: string, value: Json): Generator<string> {
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* lines(`${name}[${index}]`, item);
    return;
  }
  if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* lines(name === "" ? key : `${name}.${key}`, item as Json);
    return;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const label = name === "" ? "" : `${name}:`;
  yield [label, text].filter(Boolean).join(text.includes("\n") ? "\n" : " ");
}
