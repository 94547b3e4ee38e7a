import type { GrepQuery } from "@tenrec/protocol";
import type { Schema } from "ai";
import { z } from "zod";
import { inputSchema } from "../input-schema.ts";
import { toTreePath } from "../workspace-path.ts";

export interface GrepInput {
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  /** Only files of this type, by ripgrep's names. */
  type?: string | undefined;
  /** Default: `content`. */
  mode?: "content" | "files" | "count" | undefined;
  /** Lines before and after each match. */
  context?: number | undefined;
  before?: number | undefined;
  after?: number | undefined;
  ignoreCase?: boolean | undefined;
  literal?: boolean | undefined;
  word?: boolean | undefined;
  multiline?: boolean | undefined;
  /** Matching lines of a file that are shown. */
  maxPerFile?: number | undefined;
  /** Ignored and hidden files too. */
  all?: boolean | undefined;
  /** Most matching lines, or files. Default: 100. */
  limit?: number | undefined;
  /** Matching lines, or files, to pass over first. */
  offset?: number | undefined;
}

/** A page of what matches, and the lines around. */
export interface Page {
  readonly mode: NonNullable<GrepInput["mode"]>;
  readonly offset: number;
  readonly limit: number;
  readonly before: number;
  readonly after: number;
}

const DEFAULT_LIMIT = 100;

export function pageOf(input: GrepInput): Page {
  const mode = input.mode ?? "content";
  return {
    mode,
    offset: input.offset ?? 0,
    limit: input.limit ?? DEFAULT_LIMIT,
    before: mode === "content" ? (input.before ?? input.context ?? 0) : 0,
    after: mode === "content" ? (input.after ?? input.context ?? 0) : 0,
  };
}

export function toQuery(input: GrepInput, { mode, offset, limit, before, after }: Page): GrepQuery {
  const all = input.all ?? false;
  // One more than is shown, so that "there are more" is known.
  const most = Math.min(input.maxPerFile ?? Number.POSITIVE_INFINITY, offset + limit + 1);
  return {
    pattern: input.pattern,
    path: toTreePath(input.path ?? "."),
    literal: input.literal ?? false,
    ignoreCase: input.ignoreCase ?? false,
    word: input.word ?? false,
    // A model that searches over lines means `.` to go over them, too.
    multiline: input.multiline ?? false,
    dotAll: input.multiline ?? false,
    crlf: true,
    hidden: all,
    noIgnore: all,
    ...(input.glob === undefined ? {} : { globs: [input.glob] }),
    ...(input.type === undefined ? {} : { types: [input.type] }),
    ...(mode === "content" ? { before, after, maxCount: most } : {}),
    ...(mode === "files" ? { report: "files" as const } : {}),
    ...(mode === "count" ? { report: "count" as const } : {}),
  };
}

const lines = z.int().min(0).max(50).optional();

/** Of the names that other agents and ripgrep have for these. Models know them by heart, and use them whatever they are told. */
const OTHER_NAMES: Readonly<Record<string, keyof GrepInput>> = {
  output_mode: "mode",
  head_limit: "limit",
  include: "glob",
  "-i": "ignoreCase",
  "-w": "word",
  "-U": "multiline",
  "-F": "literal",
  "-m": "maxPerFile",
  "-A": "after",
  "-B": "before",
  "-C": "context",
};

/** An input with the names of this tool; a name that is there twice stays, and is refused. */
function withOwnNames(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const entries = Object.entries(input).map(([key, value]) => {
    const own = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
    return own === undefined || own in input ? [key, value] : [own, value === "files_with_matches" ? "files" : value];
  });
  return Object.fromEntries(entries);
}

export const grepSchema: Schema<GrepInput> = inputSchema<GrepInput>(
  z.strictObject({
    pattern: z.string().min(1).describe("regular expression, as for ripgrep"),
    path: z.string().optional().describe("folder or file"),
    glob: z.string().optional().describe('such as "*.ts" or "!*.md"'),
    type: z.string().optional().describe('such as "ts" or "py"'),
    mode: z.enum(["content", "files", "count"]).optional(),
    context: lines.describe("lines around each match"),
    before: lines,
    after: lines,
    ignoreCase: z.boolean().optional(),
    literal: z.boolean().optional().describe("pattern is plain text"),
    word: z.boolean().optional(),
    multiline: z.boolean().optional().describe("matches may span lines"),
    maxPerFile: z.int().min(1).optional(),
    all: z.boolean().optional().describe("ignored and hidden files too"),
    limit: z.int().min(1).optional().describe("default 100"),
    offset: z.int().min(0).optional(),
  }),
  withOwnNames,
);
