import type { GrepFile, GrepQuery, Search, SearchSummary, ToolOutput } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { explainEmpty } from "./empty-search.ts";
import { inputSchema } from "../input-schema.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface GrepInput {
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  /** Default: `content`. */
  mode?: "content" | "files" | "count" | undefined;
  /** Lines around each match. */
  context?: number | undefined;
  ignoreCase?: boolean | undefined;
  literal?: boolean | undefined;
  /** Ignored and hidden files too. */
  all?: boolean | undefined;
  /** Most matching lines, or files. Default: 100. */
  limit?: number | undefined;
}

export type GrepPort = Pick<Search, "grep">;

const DEFAULT_LIMIT = 100;

/** Lines that match, as `path:line: text`; context lines as `path-line- text`. An empty answer says what was left out. */
export async function searchContent(search: GrepPort, input: GrepInput, signal: AbortSignal): Promise<ToolOutput> {
  const limit = input.limit ?? DEFAULT_LIMIT;
  const mode = input.mode ?? "content";
  const found: Findings = { lines: [], matches: 0, last: undefined };
  let summary: SearchSummary | undefined;
  try {
    for await (const event of search.grep(toQuery(input, limit), signal)) {
      if (event.type === "summary") summary = event;
      else if (found.matches >= limit) return answer(found.lines, limit, true);
      else {
        const shown = mode === "content" ? firstMatches(event, limit - found.matches) : event;
        add(found, shown, mode, (input.context ?? 0) > 0);
        if (shown !== event) return answer(found.lines, limit, true);
      }
    }
  } catch (error) {
    throw hasCode(error, "EINVAL") ? badPattern(input.pattern, error.data.reason) : error;
  }
  if (found.matches === 0) return { text: explainEmpty("No match", summary, input.all ?? false) };
  return answer(found.lines, limit, false);
}

type Mode = NonNullable<GrepInput["mode"]>;

interface Findings {
  readonly lines: string[];
  matches: number;
  /** The last line of the file that is being shown. */
  last: number | undefined;
}

/** With `groups` there is a mark where lines are left out. */
function add(found: Findings, event: GrepFile, mode: Mode, groups: boolean): void {
  if (!event.continued) found.last = undefined;
  if (groups && found.lines.length > 0 && found.last === undefined) found.lines.push("--");
  found.lines.push(...format(event, mode, groups, found.last));
  found.last = event.lines.at(-1)?.line;
  found.matches += mode === "content" ? countMatches(event) : 1;
}

function toQuery(input: GrepInput, limit: number): GrepQuery {
  const all = input.all ?? false;
  const content = input.mode === undefined || input.mode === "content";
  const around = content ? { before: input.context ?? 0, after: input.context ?? 0 } : {};
  // One more than is shown, so that "there are more" is known.
  const most = content
    ? { maxCount: limit + 1 }
    : { report: input.mode === "files" ? ("files" as const) : ("count" as const) };
  return {
    pattern: input.pattern,
    path: toTreePath(input.path ?? "."),
    literal: input.literal ?? false,
    ignoreCase: input.ignoreCase ?? false,
    crlf: true,
    hidden: all,
    noIgnore: all,
    ...(input.glob === undefined ? {} : { globs: [input.glob] }),
    ...around,
    ...most,
  };
}

function countMatches({ lines, binary }: GrepFile): number {
  if (binary !== undefined && lines.length === 0) return 1;
  return lines.filter(({ match }) => match).length;
}

/** The event with no more than `most` matching lines, and without the context that follows the last of them. */
function firstMatches(event: GrepFile, most: number): GrepFile {
  let left = most;
  const end = event.lines.findIndex(({ match }) => match && left-- === 0);
  return end === -1 ? event : { ...event, lines: event.lines.slice(0, end) };
}

/** `last` is the line before, when the event goes on with a file. */
function format(event: GrepFile, mode: Mode, groups: boolean, last?: number): string[] {
  const name = toModelPath(event.path);
  if (mode === "files") return [name];
  if (mode === "count") return [`${name}: ${event.matches}`];
  if (event.binary !== undefined && event.lines.length === 0) return [`${name}: is binary, and matches`];
  const out: string[] = [];
  let previous = last;
  for (const { line, text, cut, skipped, match } of event.lines) {
    if (groups && previous !== undefined && line > previous + 1) out.push("--");
    const mark = match ? ":" : "-";
    out.push(`${name}${mark}${line}${mark} ${skipped ? "[cut] …" : ""}${text}${cut ? "… [cut]" : ""}`);
    previous = line;
  }
  return out;
}

function answer(lines: readonly string[], limit: number, more: boolean): ToolOutput {
  const fitting = countFitting(lines, { lines: OUTPUT_CAPS.lines - 1, bytes: OUTPUT_CAPS.bytes - 256 });
  const notes: string[] = [];
  if (fitting < lines.length) notes.push("[there are more matches than fit; narrow it with path, glob or mode=files]");
  else if (more) notes.push(`[stopped at limit=${limit}, there are more; narrow it with path or glob, or raise limit]`);
  return { text: [...lines.slice(0, fitting), ...notes].join("\n"), data: { more: notes.length > 0 } };
}

function badPattern(pattern: string, why: string): TenrecError<"tool-failed"> {
  const reason =
    `the pattern ${JSON.stringify(pattern)} is not a valid regular expression (${why}). The syntax is ripgrep's: no ` +
    "lookaround, no backreferences, and a literal brace or bracket needs a backslash. For plain text set literal=true.";
  return new TenrecError("tool-failed", { tool: "grep", reason });
}

const schema = inputSchema<GrepInput>(
  z.strictObject({
    pattern: z.string().min(1).describe("regular expression, as for ripgrep"),
    path: z.string().optional().describe("folder or file"),
    glob: z.string().optional().describe('such as "*.ts" or "!*.md"'),
    mode: z.enum(["content", "files", "count"]).optional(),
    context: z.int().min(0).max(50).optional().describe("lines around each match"),
    ignoreCase: z.boolean().optional(),
    literal: z.boolean().optional().describe("pattern is plain text"),
    all: z.boolean().optional().describe("ignored and hidden files too"),
    limit: z.int().min(1).optional().describe("default 100"),
  }),
);

/** The `grep` tool. */
export function createGrepTool({ search }: { readonly search: GrepPort }): CodingTool {
  return createCodingTool<GrepInput>({
    name: "grep",
    description: "Search file contents. Leaves out what .gitignore excludes, hidden and binary files.",
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => searchContent(search, input, signal),
  });
}
