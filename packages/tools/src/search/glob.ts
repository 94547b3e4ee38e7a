import type { FileSystem, GlobQuery, Search, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { inputSchema } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";
import { explainNothing } from "./explain-nothing.ts";
import { globPlace } from "./glob-place.ts";
import { orPlainBrackets, type SearchAnswer } from "./plain-brackets.ts";
import { refusedSearch } from "./refused-search.ts";

export interface GlobInput {
  pattern: string;
  path?: string | undefined;
  /** Ignored and hidden files too. */
  all?: boolean | undefined;
  /** Most paths. Default: 100. */
  limit?: number | undefined;
  /** Paths to pass over first. */
  offset?: number | undefined;
}

export interface GlobPort {
  readonly search: Pick<Search, "glob">;
  readonly fs: Pick<FileSystem, "exists" | "readdir">;
}

const DEFAULT_LIMIT = 100;

/** Paths that match, in order; an empty answer says what was left out. */
export function findPaths(port: GlobPort, input: GlobInput, signal: AbortSignal): Promise<ToolOutput> {
  return orPlainBrackets(input.pattern, (pattern) => findFitting(port, { ...input, pattern }, signal));
}

async function findFitting({ search, fs }: GlobPort, input: GlobInput, signal: AbortSignal): Promise<SearchAnswer> {
  const { offset = 0, limit = DEFAULT_LIMIT } = input;
  const paths: string[] = [];
  let found = 0;
  try {
    const query = toQuery(input);
    for await (const event of search.glob({ ...query, explain: true }, signal)) {
      if (event.type === "summary") {
        if (found > 0) continue;
        const text = await explain(search, query, event, signal);
        return { output: { text, data: { paths: 0, more: false } }, fitsNothing: true };
      } else if (found === offset + limit) return { output: answer(paths, offset, true), fitsNothing: false };
      else if (found++ >= offset) paths.push(shown(event));
    }
  } catch (error) {
    return { output: await refusedSearch(fs, "glob", { glob: input.pattern }, error), fitsNothing: false };
  }
  if (found <= offset) paths.push(`[there are only ${found}; offset=${offset} is behind the last one]`);
  return { output: answer(paths, offset, false), fitsNothing: false };
}

function toQuery({ pattern, path, all = false }: GlobInput): GlobQuery {
  const place = globPlace(toTreePath(path ?? "."), pattern);
  return { pattern: place.pattern, path: place.path, hidden: all, noIgnore: all };
}

function shown({ path, kind }: { readonly path: string; readonly kind: string }): string {
  return kind === "directory" ? `${toModelPath(path)}/` : toModelPath(path);
}

function answer(paths: readonly string[], offset: number, more: boolean): ToolOutput {
  const fitting = countFitting(paths, { lines: OUTPUT_CAPS.lines - 1, bytes: OUTPUT_CAPS.bytes - 256 });
  const isCut = more || fitting < paths.length;
  const next = offset + fitting;
  const note = isCut
    ? [`[${fitting} paths shown, there are more: offset=${next} goes on; or narrow pattern or path]`]
    : [];
  return { text: [...paths.slice(0, fitting), ...note].join("\n"), data: { paths: fitting, more: isCut } };
}

function explain(
  search: GlobPort["search"],
  query: GlobQuery,
  summary: Parameters<typeof explainNothing>[0]["summary"],
  signal: AbortSignal,
): Promise<string> {
  async function* everywhere(): AsyncGenerator<string> {
    const all = { ...query, hidden: true, noIgnore: true };
    for await (const event of search.glob(all, signal)) if (event.type === "entry") yield event.path;
  }
  return explainNothing({ what: "No path matches", summary, everywhere });
}

const schema = inputSchema<GlobInput>(
  z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe("folder to look in"),
    all: z.boolean().optional().describe("ignored and hidden files too"),
    limit: z.int().min(1).optional().describe("default 100"),
    offset: z.int().min(0).optional(),
  }),
  { ...PATH_NAMES, glob_pattern: "pattern", target_directory: "path" },
);

/** The `glob` tool. */
export function createGlobTool(ports: GlobPort): CodingTool {
  return createCodingTool<GlobInput>({
    name: "glob",
    description: 'Find files by name: "*.ts" at any depth, "src/**/*.test.ts". Leaves out what .gitignore excludes.',
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => findPaths(ports, input, signal),
  });
}
