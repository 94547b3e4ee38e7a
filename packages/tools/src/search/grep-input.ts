import type { GrepQuery } from "@tenrec/protocol";
import type { Schema } from "ai";
import { z } from "zod";
import { inputSchema } from "../input-schema.ts";
import { type OtherNames, PATH_NAMES } from "../other-names.ts";
import { rootGlob } from "./glob-place.ts";
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
  const path = toTreePath(input.path ?? ".");
  // One more than is shown, so that "there are more" is known.
  const most = Math.min(input.maxPerFile ?? Number.POSITIVE_INFINITY, offset + limit + 1);
  return {
    pattern: input.pattern,
    path,
    literal: input.literal ?? false,
    ignoreCase: input.ignoreCase ?? false,
    word: input.word ?? false,
    // A model that searches over lines means `.` to go over them, too.
    multiline: input.multiline ?? false,
    dotAll: input.multiline ?? false,
    crlf: true,
    hidden: all,
    noIgnore: all,
    ...(input.glob === undefined ? {} : { globs: [rootGlob(path, input.glob)] }),
    ...(input.type === undefined ? {} : { types: [input.type] }),
    ...(mode === "content" ? { before, after, maxCount: most } : {}),
    ...(mode === "files" ? { report: "files" as const } : {}),
    ...(mode === "count" ? { report: "count" as const } : {}),
  };
}

const lines = z.int().min(0).max(50).optional();

const OTHER_NAMES: OtherNames<GrepInput> = {
  ...PATH_NAMES,
  output_mode: "mode",
  head_limit: "limit",
  include: "glob",
  file_pattern: "glob",
  include_pattern: "glob",
  regex: "pattern",
  "-i": "ignoreCase",
  "-w": "word",
  "-U": "multiline",
  "-F": "literal",
  "-m": "maxPerFile",
  "-A": "after",
  "-B": "before",
  "-C": "context",
  // Lines always have their numbers.
  "-n": undefined,
};

/** The words of other agents, too. */
function withOwnWords(input: unknown): unknown {
  const isFiles = typeof input === "object" && input !== null && "mode" in input && input.mode === "files_with_matches";
  return isFiles ? { ...input, mode: "files" } : input;
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
  OTHER_NAMES,
  withOwnWords,
);
