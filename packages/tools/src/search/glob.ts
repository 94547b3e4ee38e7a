import type { FileSystem, GlobQuery, Search, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { inputSchema } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";
import { BRACKETS_NOTE, globPlace, plainBrackets } from "./glob-place.ts";
import { explainNothing } from "./explain-nothing.ts";
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
const NOTHING = "No path matches";

/** Paths that match, in order; an empty answer says what was left out. */
export async function findPaths({ search, fs }: GlobPort, input: GlobInput, signal: AbortSignal): Promise<ToolOutput> {
  const { offset = 0, limit = DEFAULT_LIMIT } = input;
  const paths: string[] = [];
  let found = 0;
  try {
    const query = toQuery(input);
    for await (const event of search.glob({ ...query, explain: true }, signal)) {
      if (event.type === "summary") {
        if (found > 0) continue;
        const text = await explain(search, query, event, signal);
        return (await withPlainBrackets({ search, fs }, input, signal)) ?? { text, data: { paths: 0, more: false } };
      } else if (found === offset + limit) return answer(paths, offset, true);
      else if (found++ >= offset) paths.push(shown(event));
    }
  } catch (error) {
    return await refusedSearch(fs, "glob", { glob: input.pattern }, error);
  }
  if (found <= offset) paths.push(`[there are only ${found}; offset=${offset} is behind the last one]`);
  return answer(paths, offset, false);
}

/** `[id]/page.tsx` as it is written, which frameworks call files; undefined where that finds nothing either. */
async function withPlainBrackets(
  port: GlobPort,
  input: GlobInput,
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  const pattern = plainBrackets(input.pattern);
  const plain = pattern === undefined ? undefined : await findPaths(port, { ...input, pattern }, signal);
  if (!plain || plain.isError || plain.text.startsWith(NOTHING)) return undefined;
  return { ...plain, text: `${plain.text}\n[${BRACKETS_NOTE}]` };
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
  return explainNothing({ what: NOTHING, summary, everywhere });
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
