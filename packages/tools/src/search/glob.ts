import type { Search, SearchSummary, ToolOutput } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { explainEmpty } from "./empty-search.ts";
import { inputSchema } from "../input-schema.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface GlobInput {
  pattern: string;
  path?: string | undefined;
  /** Ignored and hidden files too. */
  all?: boolean | undefined;
}

export type GlobPort = Pick<Search, "glob">;

const MAX_PATHS = 100;

/** Paths that match, in order, at most 100; an empty answer says what was left out. */
export async function findPaths(search: GlobPort, input: GlobInput, signal: AbortSignal): Promise<ToolOutput> {
  const all = input.all ?? false;
  const query = { pattern: input.pattern, path: toTreePath(input.path ?? "."), hidden: all, noIgnore: all };
  const paths: string[] = [];
  let summary: SearchSummary | undefined;
  for await (const event of search.glob(query, signal)) {
    if (event.type === "summary") summary = event;
    else if (paths.length === MAX_PATHS) return answer(paths, true);
    else paths.push(event.kind === "directory" ? `${toModelPath(event.path)}/` : toModelPath(event.path));
  }
  return paths.length ? answer(paths, false) : { text: explainEmpty("No path matches", summary, all) };
}

function answer(paths: readonly string[], more: boolean): ToolOutput {
  const note = more ? [`[the first ${paths.length} paths, there are more; narrow the pattern or set path]`] : [];
  return { text: [...paths, ...note].join("\n"), data: { paths: paths.length, more } };
}

const schema = inputSchema<GlobInput>(
  z.strictObject({
    pattern: z.string().min(1),
    path: z.string().optional().describe("folder to look in"),
    all: z.boolean().optional().describe("ignored and hidden files too"),
  }),
);

/** The `glob` tool. */
export function createGlobTool({ search }: { readonly search: GlobPort }): CodingTool {
  return createCodingTool<GlobInput>({
    name: "glob",
    description: 'Find files by name: "*.ts" at any depth, "src/**/*.test.ts". Leaves out what .gitignore excludes.',
    schema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => findPaths(search, input, signal),
  });
}
