import type { LocatedStack } from "@tenrec/protocol";
import { z } from "zod";

/** Something that went wrong in a page, in the page's own words: nobody vouches for them. */
interface PageError {
  /** The page's own number for it. */
  readonly id: number;
  readonly what: "error" | "rejection" | "console" | "resource";
  readonly message: string;
  /** As a browser writes it, with the paths of the app in place of addresses. */
  readonly stack: string;
}

export interface PageMessage {
  /** The path of the page. */
  readonly page: string;
  readonly errors: readonly PageError[];
}

/** Where in the files an error was, as the page is told. */
export interface LocatedError extends LocatedStack {
  readonly id: number;
}

const MOST_CHARS = 100_000;

const schema = z.strictObject({
  page: z.string().max(2000),
  errors: z
    .array(
      z.strictObject({
        id: z.number().int().nonnegative(),
        what: z.enum(["error", "rejection", "console", "resource"]),
        message: z.string().max(4000),
        stack: z.string().max(8000),
      }),
    )
    .max(50),
});

/** Undefined for whatever else a page may send. */
export function readPageMessage(data: string | ArrayBuffer): PageMessage | undefined {
  if (typeof data !== "string" || data.length > MOST_CHARS) return undefined;
  try {
    return schema.parse(JSON.parse(data));
  } catch {
    return undefined;
  }
}
