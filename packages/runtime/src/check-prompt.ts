import type { InputPart } from "@tenrec/protocol";
import { MAX_PROMPT_BYTES, TenrecError } from "@tenrec/protocol";

/** Base64 as data URLs have it, with its padding. */
const BASE64_DATA = /^data:[\w.+-]+\/[\w.+-]+;base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A URL that no provider could take would fail this turn and, since it is sent again, every later one. */
function checkUrl(url: string): void {
  if (BASE64_DATA.test(url) && !url.endsWith(",")) return;
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return;
  const reason = "the url of a file must be data:<type>;base64,<content>, or an http or https address";
  throw new TenrecError("request-invalid", { reason });
}

/**
 * A prompt as parts. Throws `prompt-empty` for one without content, `prompt-too-large` above `MAX_PROMPT_BYTES`, and
 * `request-invalid` for a file whose URL cannot be read.
 */
export function checkPrompt(input: string | readonly InputPart[]): readonly InputPart[] {
  const parts: readonly InputPart[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
  if (!parts.some((part) => part.type === "file" || part.text.trim() !== "")) throw new TenrecError("prompt-empty", {});
  const bytes = new TextEncoder().encode(JSON.stringify(parts)).length;
  if (bytes > MAX_PROMPT_BYTES) throw new TenrecError("prompt-too-large", { bytes, limit: MAX_PROMPT_BYTES });
  for (const part of parts) if (part.type === "file") checkUrl(part.url);
  return parts;
}
