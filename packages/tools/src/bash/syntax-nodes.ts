import type { Script } from "./parse-line.ts";

export type Statement = Script["statements"][number];
export type Pipeline = Statement["pipelines"][number];
export type Command = Pipeline["commands"][number];
export type SimpleCommand = Extract<Command, { type: "SimpleCommand" }>;
export type Word = NonNullable<SimpleCommand["name"]>;
export type WordPart = Word["parts"][number];

export function literalWord(value: string): Word {
  return { type: "Word", parts: [{ type: "Literal", value }] };
}

/** The word's text, where nothing in it is quoted or expands. */
export function plainText(word: Word | null): string | undefined {
  const [part] = word?.parts ?? [];
  return word?.parts.length === 1 && part?.type === "Literal" ? part.value : undefined;
}

export function simpleCommand(name: Word | null): SimpleCommand {
  return { type: "SimpleCommand", assignments: [], name, args: [], redirections: [] };
}

export function pipeline(command: Command): Pipeline {
  return { type: "Pipeline", commands: [command], negated: false };
}

export function statement(pipelines: Pipeline[], operators: Statement["operators"] = []): Statement {
  return { type: "Statement", pipelines, operators, background: false };
}
