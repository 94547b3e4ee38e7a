import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { type InputPart, MAX_PROMPT_BYTES } from "@tenrec/protocol";
import { UsageError } from "../cli/usage-error.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
};

export interface PromptSource {
  readonly words: readonly string[];
  /** Paths. */
  readonly images: readonly string[];
  /** The whole standard input; undefined when it is a terminal. */
  readonly stdin: string | undefined;
}

/** The prompt: what was written, then what came by standard input, then the images. Empty for none. Throws `UsageError`. */
export function readPrompt({ words, images, stdin = "" }: PromptSource): InputPart[] {
  const written = words.filter((word) => word !== "-");
  const text = [...written, stdin.trim()].filter((part) => part.trim() !== "").join("\n\n");
  const parts = [...(text === "" ? [] : [{ type: "text", text } as const]), ...images.map(readImage)];
  const bytes = Buffer.byteLength(JSON.stringify(parts));
  if (bytes <= MAX_PROMPT_BYTES) return parts;
  const advice = images.length > 0 ? "Use smaller images." : "Put it into a file of the folder, and name that.";
  throw new UsageError(`The prompt has ${bytes} bytes with its images; ${MAX_PROMPT_BYTES} are the limit. ${advice}`);
}

function readImage(file: string): InputPart {
  const mediaType = MEDIA_TYPES[extname(file).toLowerCase()];
  if (mediaType === undefined) {
    throw new UsageError(`${file} is no image that models take: give ${Object.keys(MEDIA_TYPES).join(", ")}.`);
  }
  try {
    const url = `data:${mediaType};base64,${readFileSync(file).toString("base64")}`;
    return { type: "file", mediaType, url, filename: basename(file) };
  } catch (error) {
    throw new UsageError(`The image cannot be read: ${(error as Error).message}`);
  }
}
