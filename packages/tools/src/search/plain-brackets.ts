import type { ToolOutput } from "@tenrec/protocol";

const NOTE = "nothing fits the brackets as a class of characters, so they are taken as they are written";

/** What a search says. */
export interface SearchAnswer {
  readonly output: ToolOutput;
  /** Nothing in scope has a name that fits the glob. */
  readonly fitsNothing: boolean;
}

/** What a search says for a glob; where nothing fits that, for its brackets as they are written: frameworks call files `[id].tsx`. */
export async function orPlainBrackets<Glob extends string | undefined>(
  glob: Glob,
  search: (glob: Glob | string) => Promise<SearchAnswer>,
): Promise<ToolOutput> {
  const { output, fitsNothing } = await search(glob);
  const plain = fitsNothing ? plainBrackets(glob ?? "") : undefined;
  const second = plain === undefined ? undefined : await search(plain);
  if (!second || second.fitsNothing || second.output.isError) return output;
  return { ...second.output, text: `${second.output.text}\n[${NOTE}]` };
}

/** The glob with its brackets as plain characters; undefined when it has none that are not. */
function plainBrackets(glob: string): string | undefined {
  const plain = glob.replaceAll(/\\.|[[\]]/gs, (part) => (part.length > 1 ? part : `\\${part}`));
  return plain === glob ? undefined : plain;
}
