import type { Script, ScriptStep } from "@tenrec/testkit";

/** A file of the tree. */
export interface TextFile {
  /** As models know it: with a leading `/workspace/`. */
  readonly path: string;
  readonly text: string;
}

/** What the steps of a turn do: `mixed` reads a file, edits it and looks at the change with `sed`, then the next one; `edits` only edits. */
export type Kind = "mixed" | "edits";

/** A turn: its steps, each a model call with one tool call, before a last model call with the answer. */
export interface Work {
  readonly kind: Kind;
  readonly steps: number;
}

interface Step {
  readonly tool: "read" | "edit" | "bash";
  readonly file: number;
  /** Of the edits of the turn, from 0. */
  readonly edit: number;
}

const FILES = 500;
export const ANSWER = "All of it is done.";
export const PROMPT = "Go through the sources, mark the files that you have seen, and check each mark.";

const LINES = 40;
const TOOLS = ["read", "edit", "bash"] as const;

function pathOf(file: number): string {
  return `/workspace/src/part-${Math.floor(file / 25)}/file-${file}.ts`;
}

function lineOf(file: number, line: number): string {
  return `export const value${line} = { file: ${file}, line: ${line} };`;
}

function markOf(edit: number): string {
  return `seen as number ${edit}`;
}

/** The tree before the turn. */
export function treeFiles(): TextFile[] {
  return Array.from({ length: FILES }, (_, file) => {
    const lines = Array.from({ length: LINES }, (_, line) => lineOf(file, line));
    return { path: pathOf(file), text: `${lines.join("\n")}\n` };
  });
}

/** Up and down the tree; no file twice within 500 edits. */
function fileOf(edit: number): number {
  return (edit * 37) % FILES;
}

function stepsOf({ kind, steps }: Work): Step[] {
  return Array.from({ length: steps }, (_, index) => {
    if (kind === "edits") return { tool: "edit", file: fileOf(index), edit: index };
    const edit = Math.floor(index / TOOLS.length);
    return { tool: TOOLS[index % TOOLS.length] ?? "read", file: fileOf(edit), edit };
  });
}

/** The tree after the turn. */
export function treeAfter(work: Work): TextFile[] {
  const files = treeFiles();
  for (const { tool, file, edit } of stepsOf(work)) {
    const before = files[file];
    if (tool !== "edit" || !before) continue;
    files[file] = { ...before, text: before.text.replace(lineOf(file, 7), `${lineOf(file, 7)} // ${markOf(edit)}`) };
  }
  return files;
}

/** What each tool's answer must contain. */
export function answersOf(work: Work): string[] {
  return stepsOf(work).map(({ tool, file, edit }) => {
    if (tool === "read") return lineOf(file, LINES - 1);
    // Each tool words it in its own way, and shows the changed line.
    return tool === "edit" ? markOf(edit) : `${lineOf(file, 7)} // ${markOf(edit)}`;
  });
}

export function nameOf({ kind, steps }: Work): string {
  return `${kind}-${steps}`;
}

/** What `nameOf` made. */
export function workOf(name: string): Work {
  const [kind, steps] = name.split("-");
  return { kind: kind === "edits" ? "edits" : "mixed", steps: Number(steps) };
}

/** What the model says in this turn: the same to every subject, whose tools take the same arguments. */
export function scriptOf(work: Work): Script {
  const steps = stepsOf(work).map(({ tool, file, edit }, index): ScriptStep => {
    const text = `Step ${index + 1}: on to the next one with ${tool}.`;
    return { say: [{ text }, { call: tool, input: inputOf(tool, file, edit), id: `call_${index + 1}` }] };
  });
  return { model: nameOf(work), steps: [...steps, { say: [{ text: ANSWER }] }] };
}

function inputOf(tool: Step["tool"], file: number, edit: number) {
  const path = pathOf(file);
  if (tool === "read") return { path };
  const oldText = lineOf(file, 7);
  if (tool === "edit") return { path, edits: [{ oldText, newText: `${oldText} // ${markOf(edit)}` }] };
  return { command: `sed -n 8p ${path}` };
}
