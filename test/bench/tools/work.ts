/** A file of the tree. */
export interface TextFile {
  /** As models know it: with a leading `/workspace/`. */
  readonly path: string;
  readonly text: string;
}

export interface TextEdit {
  readonly oldText: string;
  readonly newText: string;
}

/** What a tool is asked to do. Every subject does it with its own tool and that one's own arguments. */
export type Task =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "edit"; readonly path: string; readonly edits: readonly TextEdit[] }
  /** A plain text, in every file. */
  | { readonly kind: "grep"; readonly text: string }
  /** Files by the ending of their name. */
  | { readonly kind: "glob"; readonly ending: string }
  | { readonly kind: "bash"; readonly command: string }
  /** An edit in each of several files, in one call where there is a tool for that. */
  | { readonly kind: "patch"; readonly files: readonly { readonly path: string; readonly edit: TextEdit }[] };

export const FILES = 1000;
const LINES = 60;
const LONG_LINES = 2000;

export const LONG = "/workspace/src/long.ts";

/** Text that is in some files, once each. */
export const MARK = "the one that is looked for";
const MARKED_EVERY = 20;

export function pathOf(file: number): string {
  const name = file % 10 === 0 ? `file-${file}.test.ts` : `file-${file}.ts`;
  return `/workspace/src/part-${Math.floor(file / 25)}/${name}`;
}

/** No character in it means something to `sed`. */
function lineOf(file: number, line: number, round: number): string {
  return `export const value${line} = { file: ${file}, line: ${line}, round: ${round} };`;
}

/** The tree before the first round. */
export function treeFiles(): TextFile[] {
  const files = Array.from({ length: FILES }, (_, file): TextFile => {
    const lines = Array.from({ length: LINES }, (_line, line) => lineOf(file, line, 0));
    if (file % MARKED_EVERY === 0) lines[30] = `// ${MARK}: ${file}`;
    return { path: pathOf(file), text: `${lines.join("\n")}\n` };
  });
  const long = Array.from({ length: LONG_LINES }, (_, line) => lineOf(FILES, line, 0));
  return [...files, { path: LONG, text: `${long.join("\n")}\n` }];
}

/** The edit of a line that round `round` makes: 1 is the first. */
export function editOf(file: number, line: number, round: number): TextEdit {
  return { oldText: lineOf(file, line, round - 1), newText: lineOf(file, line, round) };
}
