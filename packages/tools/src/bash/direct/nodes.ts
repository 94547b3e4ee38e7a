import type { Command, Word } from "../syntax-nodes.ts";

type Of<Type extends Command["type"]> = Extract<Command, { type: Type }>;

export type ArithmeticExpression = Of<"ArithmeticCommand">["expression"];
export type ArithmeticNode = ArithmeticExpression["expression"];
export type ConditionalNode = Of<"ConditionalCommand">["expression"];
export type Redirection = Of<"SimpleCommand">["redirections"][number];
export type Assignment = Of<"SimpleCommand">["assignments"][number];
export type WordPart = Word["parts"][number];
export type ParameterPart = Extract<WordPart, { type: "ParameterExpansion" }>;
export type NodeOf<Type extends Command["type"]> = Of<Type>;
