/** A variable, or an array; which one is known when all of the program was read. */
export interface Name {
  readonly name: string;
  /** The place among the arguments and locals of the function that it is of; undefined for a global one. */
  readonly local: number | undefined;
  isArray: boolean;
}

export type ArrayPlace = NameNode | IndexNode;
export type Place = NameNode | IndexNode | FieldNode;

export interface NameNode {
  readonly kind: "name";
  readonly name: Name;
}
/** An element. */
export interface IndexNode {
  readonly kind: "index";
  readonly array: ArrayPlace;
  readonly keys: readonly Node[];
}
export interface FieldNode {
  readonly kind: "field";
  readonly index: Node;
}

export type Arithmetic = "+" | "-" | "*" | "/" | "%" | "^";

export interface CallNode {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Node[];
}

export interface GetlineNode {
  readonly kind: "getline";
  readonly from: "input" | "file" | "command";
  readonly source: Node | undefined;
  readonly target: Place | undefined;
}

export type Node =
  | Place
  | CallNode
  | GetlineNode
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "regex"; readonly source: string }
  /** What a step before it left in this place of the frame. */
  | { readonly kind: "kept"; readonly place: number }
  | { readonly kind: "assign"; readonly operator: Arithmetic | ""; readonly target: Place; readonly value: Node }
  | { readonly kind: "increment"; readonly target: Place; readonly by: 1 | -1; readonly isBefore: boolean }
  | { readonly kind: "unary"; readonly operator: "!" | "-" | "+"; readonly operand: Node }
  | { readonly kind: "binary"; readonly operator: Arithmetic; readonly left: Node; readonly right: Node }
  | { readonly kind: "compare"; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly kind: "match"; readonly isNegated: boolean; readonly left: Node; readonly right: Node }
  | { readonly kind: "join"; readonly parts: readonly Node[] }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node }
  | { readonly kind: "choose"; readonly test: Node; readonly yes: Node; readonly no: Node }
  | { readonly kind: "in"; readonly keys: readonly Node[]; readonly array: ArrayPlace }
  | { readonly kind: "builtin"; readonly name: string; readonly args: readonly Node[] }
  /** In parentheses, and so no place to assign to. */
  | { readonly kind: "group"; readonly inner: Node }
  /** More than one in parentheses: for `print` and `in` alone. */
  | { readonly kind: "list"; readonly items: readonly Node[] };

export interface Redirection {
  readonly mode: ">" | ">>" | "|";
  readonly target: Node;
}

export type Statement =
  | { readonly kind: "block"; readonly body: readonly Statement[] }
  | { readonly kind: "expression"; readonly node: Node }
  | { readonly kind: "print"; readonly args: readonly Node[]; readonly to: Redirection | undefined }
  | { readonly kind: "printf"; readonly args: readonly Node[]; readonly to: Redirection | undefined }
  | { readonly kind: "if"; readonly test: Node; readonly yes: Statement; readonly no: Statement | undefined }
  | { readonly kind: "while"; readonly test: Node; readonly body: Statement }
  | { readonly kind: "do"; readonly test: Node; readonly body: Statement }
  | {
      readonly kind: "for";
      readonly first: Statement | undefined;
      readonly test: Node | undefined;
      readonly step: Statement | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "each"; readonly target: Place; readonly array: ArrayPlace; readonly body: Statement }
  | { readonly kind: "switch"; readonly value: Node; readonly cases: readonly Case[] }
  | { readonly kind: "break" | "continue" | "next" | "nextfile" }
  | { readonly kind: "exit" | "return"; readonly value: Node | undefined }
  /** All of an array without keys. */
  | { readonly kind: "delete"; readonly array: ArrayPlace; readonly keys: readonly Node[] | undefined };

export interface Case {
  /** Undefined for the default. */
  readonly value: Node | undefined;
  readonly body: readonly Statement[];
}

export type Pattern =
  | { readonly kind: "always" }
  | { readonly kind: "test"; readonly test: Node }
  | { readonly kind: "range"; readonly from: Node; readonly to: Node };

export interface Rule {
  readonly pattern: Pattern;
  /** Undefined where the record is printed. */
  readonly body: Statement | undefined;
}

export interface UserFunction {
  readonly name: string;
  readonly parameters: readonly Name[];
  readonly body: Statement;
}

export interface Program {
  readonly begin: readonly Statement[];
  readonly end: readonly Statement[];
  readonly beginFile: readonly Statement[];
  readonly endFile: readonly Statement[];
  readonly rules: readonly Rule[];
  readonly functions: ReadonlyMap<string, UserFunction>;
  readonly globals: ReadonlyMap<string, Name>;
  /** What was odd, but has a meaning. */
  readonly warnings: readonly string[];
  /** It runs other commands. */
  readonly callsOthers: boolean;
}
