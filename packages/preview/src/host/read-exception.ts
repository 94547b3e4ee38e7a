import type { Thrown } from "../inside/thrown.ts";

/** An exception as `src/inside/thrown.ts` writes it is below this; what an app makes up may have no end. */
const MOST_BYTES = 128 * 1024;

/** What an app's answer says that it threw. The app may have written that itself, so nothing about it is certain. */
export async function readException({ body }: Response): Promise<Thrown> {
  const text = await firstText(body);
  const { name, message, stack } = fieldsOf(text);
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : "It said nothing that can be read.",
    stack: typeof stack === "string" ? stack : "",
  };
}

async function firstText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = "";
  while (reader && text.length <= MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
