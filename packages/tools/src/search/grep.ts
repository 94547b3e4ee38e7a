import type { FileSystem, Search, SearchSummary, ToolOutput } from "@tenrec/protocol";
import { countFitting, OUTPUT_CAPS } from "../cap-output.ts";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { explainNothing } from "./explain-nothing.ts";
import { BRACKETS_NOTE, plainBrackets } from "./glob-place.ts";
import { type GrepInput, grepSchema, type Page, pageOf, toQuery } from "./grep-input.ts";
import { GrepPage } from "./grep-page.ts";
import { refusedSearch } from "./refused-search.ts";

const NOTHING = "No match";

export interface GrepPort {
  readonly search: Pick<Search, "grep">;
  readonly fs: Pick<FileSystem, "exists" | "readdir">;
}

/** Lines that match, as `path:line: text`; context lines as `path-line- text`. An empty answer says what was left out. */
export async function searchContent(
  { search, fs }: GrepPort,
  input: GrepInput,
  signal: AbortSignal,
): Promise<ToolOutput> {
  const page = pageOf(input);
  const shown = new GrepPage(page);
  try {
    const query = toQuery(input, page);
    for await (const event of search.grep({ ...query, explain: true }, signal)) {
      if (event.type === "file") {
        if (!shown.add(event)) break;
      } else if (shown.found === 0) {
        const plain = event.searched === 0 ? await withPlainBrackets({ search, fs }, input, signal) : undefined;
        return plain ?? { text: await explain(search, input, event, signal), data: { matches: 0 } };
      }
    }
  } catch (error) {
    return await refusedSearch(fs, "grep", input, error);
  }
  return answer(shown, page);
}

/** With the brackets of `glob` as they are written; undefined where no file has such a name either. */
async function withPlainBrackets(
  port: GrepPort,
  input: GrepInput,
  signal: AbortSignal,
): Promise<ToolOutput | undefined> {
  const glob = plainBrackets(input.glob ?? "");
  const plain = glob === undefined ? undefined : await searchContent(port, { ...input, glob }, signal);
  if (!plain || plain.isError || plain.text.startsWith(`${NOTHING} in no file`)) return undefined;
  return { ...plain, text: `${plain.text}\n[${BRACKETS_NOTE}]` };
}

function answer({ lines, found, more, total }: GrepPage, { mode, offset }: Page): ToolOutput {
  const fitting = countFitting(
    lines.map(({ text }) => text),
    { lines: OUTPUT_CAPS.lines - 1, bytes: OUTPUT_CAPS.bytes - 256 },
  );
  const text = lines.slice(0, fitting);
  const next = offset + text.filter(({ counts }) => counts).length;
  const isCut = more || fitting < lines.length;
  const notes: string[] = [];
  if (found <= offset) notes.push(`[there are only ${found}; offset=${offset} is behind the last one]`);
  else if (isCut)
    notes.push(
      `[${next - offset} shown, there are more: offset=${next} goes on; or narrow it with path, glob${mode === "content" ? " or mode=files" : ""}]`,
    );
  else if (mode === "count" && offset === 0 && found > 1) notes.push(`[${total} matching lines in ${found} files]`);
  return { text: [...text.map((line) => line.text), ...notes].join("\n"), data: { more: isCut } };
}

function explain(
  search: GrepPort["search"],
  input: GrepInput,
  summary: SearchSummary,
  signal: AbortSignal,
): Promise<string> {
  async function* everywhere(): AsyncGenerator<string> {
    const all = { ...input, all: true, mode: "files" as const };
    for await (const event of search.grep(toQuery(all, pageOf(all)), signal))
      if (event.type === "file") yield event.path;
  }
  return explainNothing({ what: NOTHING, summary, everywhere, hints: hintsOf(input, summary) });
}

function hintsOf({ pattern, literal, glob, type }: GrepInput, { searched }: SearchSummary): string[] {
  const hints: string[] = [];
  if (searched === 0 && (glob ?? type) !== undefined)
    hints.push("No file in scope has such a name: look at glob, type and path.");
  if (!literal && /\\[|+?(){}]/.test(pattern) && /\\\|/.test(pattern))
    hints.push("In this syntax \\| is a bar itself: alternatives are a|b.");
  return hints;
}

/** The `grep` tool. */
export function createGrepTool(ports: GrepPort): CodingTool {
  return createCodingTool<GrepInput>({
    name: "grep",
    description: "Search file contents. Leaves out what .gitignore excludes, hidden and binary files.",
    schema: grepSchema,
    traits: { replay: "pure", permission: "read" },
    run: (input, signal) => searchContent(ports, input, signal),
  });
}
