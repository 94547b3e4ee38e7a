import type { Names } from "./names.ts";
import type { ExpressionParser } from "./parse-expression.ts";
import type { Case, Node, Redirection, Statement } from "./syntax.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { syntaxError } from "./tokenize.ts";

/** Where a block is. */
export interface Surroundings {
  readonly inFunction: boolean;
  /** `rule`, `function`, or the word of a special pattern. */
  readonly where: string;
}

interface Scope extends Surroundings {
  readonly inLoop: boolean;
  readonly inSwitch: boolean;
}

/** Where there is no record, there is no next one. */
function isAllowed(statement: "next" | "nextfile", where: string): boolean {
  return where === "rule" || where === "function" || (where === "BEGINFILE" && statement === "nextfile");
}

/** Statements of a program. */
export class StatementParser {
  readonly #cursor: TokenCursor;
  readonly #names: Names;
  readonly #expressions: ExpressionParser;
  #scope: Scope = { inFunction: false, where: "rule", inLoop: false, inSwitch: false };

  constructor(cursor: TokenCursor, names: Names, expressions: ExpressionParser) {
    this.#cursor = cursor;
    this.#names = names;
    this.#expressions = expressions;
  }

  /** Of a rule or a function. */
  block(surroundings: Surroundings): Statement {
    this.#scope = { ...surroundings, inLoop: false, inSwitch: false };
    return this.#block();
  }

  #block(): Statement {
    const cursor = this.#cursor;
    cursor.expect("{");
    const body: Statement[] = [];
    for (;;) {
      while (cursor.is("\n", ";")) cursor.take();
      if (cursor.takeIf("}")) return { kind: "block", body };
      body.push(this.#statement());
    }
  }

  #statement(): Statement {
    return this.#cursor.within(() => this.#any());
  }

  #any(): Statement {
    const cursor = this.#cursor;
    if (cursor.is("{")) return this.#block();
    if (cursor.takeIf(";")) return { kind: "block", body: [] };
    const { kind, text } = cursor.token;
    if (kind === "word")
      switch (text) {
        case "if":
          return this.#if();
        case "while":
          return this.#while();
        case "do":
          return this.#do();
        case "for":
          return this.#for();
        case "switch":
          return this.#switch();
      }
    const statement = this.#simple();
    this.#end();
    return statement;
  }

  /** A statement ends with a line, a semicolon or the block. */
  #end(): void {
    if (this.#cursor.is("\n", ";")) this.#cursor.take();
    else if (!this.#cursor.is("}") && this.#cursor.token.kind !== "end") throw this.#cursor.problem();
  }

  #if(): Statement {
    const cursor = this.#cursor;
    cursor.take();
    const test = this.#test();
    const yes = this.#body();
    const place = cursor.place;
    while (cursor.is("\n", ";")) cursor.take();
    if (!cursor.isWord("else")) {
      cursor.back(place);
      return { kind: "if", test, yes, no: undefined };
    }
    cursor.take();
    return { kind: "if", test, yes, no: this.#body() };
  }

  #test(): Node {
    const cursor = this.#cursor;
    cursor.expect("(");
    cursor.skipLines();
    const test = this.#expressions.parse();
    cursor.skipLines();
    cursor.expect(")");
    return test;
  }

  #body(): Statement {
    this.#cursor.skipLines();
    return this.#statement();
  }

  #inLoop<T>(run: () => T): T {
    const before = this.#scope;
    this.#scope = { ...before, inLoop: true };
    const result = run();
    this.#scope = before;
    return result;
  }

  #while(): Statement {
    this.#cursor.take();
    const test = this.#test();
    return { kind: "while", test, body: this.#inLoop(() => this.#body()) };
  }

  #do(): Statement {
    const cursor = this.#cursor;
    cursor.take();
    const body = this.#inLoop(() => this.#body());
    while (cursor.is("\n", ";")) cursor.take();
    if (!cursor.isWord("while")) throw cursor.problem();
    cursor.take();
    const test = this.#test();
    this.#end();
    return { kind: "do", test, body };
  }

  #for(): Statement {
    const cursor = this.#cursor;
    cursor.take();
    cursor.expect("(");
    const each = this.#each();
    if (each) return each;
    const first = cursor.is(";") ? undefined : this.#simple();
    cursor.expect(";");
    cursor.skipLines();
    const test = cursor.is(";") ? undefined : this.#expressions.parse();
    cursor.expect(";");
    cursor.skipLines();
    const step = cursor.is(")") ? undefined : this.#simple();
    cursor.expect(")");
    return { kind: "for", first, test, step, body: this.#inLoop(() => this.#body()) };
  }

  /** `for (key in array)`. */
  #each(): Statement | undefined {
    const cursor = this.#cursor;
    const { kind, text, line } = cursor.token;
    if (kind !== "name" || cursor.next.kind !== "word" || cursor.next.text !== "in") return undefined;
    const place = cursor.place;
    cursor.take();
    cursor.take();
    if (cursor.token.kind !== "name") throw cursor.problem();
    const array = this.#expressions.array();
    if (!cursor.takeIf(")")) {
      cursor.back(place);
      return undefined;
    }
    const target = { kind: "name", name: this.#names.find(text, line) } as const;
    return { kind: "each", target, array, body: this.#inLoop(() => this.#body()) };
  }

  #switch(): Statement {
    const cursor = this.#cursor;
    cursor.take();
    const value = this.#test();
    cursor.skipLines();
    cursor.expect("{");
    const before = this.#scope;
    this.#scope = { ...before, inSwitch: true };
    const cases: Case[] = [];
    for (;;) {
      while (cursor.is("\n", ";")) cursor.take();
      if (cursor.takeIf("}")) break;
      cases.push(this.#case());
    }
    this.#scope = before;
    return { kind: "switch", value, cases };
  }

  #case(): Case {
    const cursor = this.#cursor;
    const { kind, text } = cursor.take();
    if (kind !== "word" || (text !== "case" && text !== "default")) throw cursor.problem();
    const value = text === "case" ? this.#expressions.parse() : undefined;
    cursor.expect(":");
    const body: Statement[] = [];
    for (;;) {
      while (cursor.is("\n", ";")) cursor.take();
      if (cursor.is("}") || cursor.isWord("case", "default")) return { value, body };
      body.push(this.#statement());
    }
  }

  /** One without a body. */
  #simple(): Statement {
    const cursor = this.#cursor;
    const { kind, text, line } = cursor.token;
    if (kind !== "word" || text === "getline") return { kind: "expression", node: this.#expressions.parse() };
    cursor.take();
    const { inLoop, inSwitch, inFunction, where } = this.#scope;
    switch (text) {
      case "print":
      case "printf":
        return this.#print(text);
      case "break":
        if (!inLoop && !inSwitch) throw syntaxError(line, "`break' is not allowed outside a loop or switch");
        return { kind: "break" };
      case "continue":
        if (!inLoop) throw syntaxError(line, "`continue' is not allowed outside a loop");
        return { kind: "continue" };
      case "next":
      case "nextfile":
        if (!isAllowed(text, where)) throw syntaxError(line, `\`${text}' used in ${where} action`);
        return { kind: text };
      case "return":
        if (!inFunction) throw syntaxError(line, "`return' used outside function context");
        return { kind: "return", value: this.#optional() };
      case "exit":
        return { kind: "exit", value: this.#optional() };
      case "delete":
        return this.#delete();
    }
    cursor.back(cursor.place - 1);
    throw cursor.problem();
  }

  #optional(): Node | undefined {
    return this.#cursor.is("\n", ";", "}") ? undefined : this.#expressions.parse();
  }

  #delete(): Statement {
    const cursor = this.#cursor;
    const isGroup = cursor.takeIf("(");
    const place = this.#expressions.array();
    if (isGroup) cursor.expect(")");
    if (place.kind === "name") return { kind: "delete", array: place, keys: undefined };
    return { kind: "delete", array: place.array, keys: place.keys };
  }

  #print(kind: "print" | "printf"): Statement {
    const cursor = this.#cursor;
    const { line } = cursor.token;
    let args: Node[] = [];
    if (!cursor.is("\n", ";", "}", ">", ">>", "|") && cursor.token.kind !== "end") args = this.#printed();
    if (kind === "printf" && args.length === 0) throw syntaxError(line, "printf: no format was given");
    return { kind, args, to: this.#redirection() };
  }

  /** What is printed, in parentheses or without. */
  #printed(): Node[] {
    const cursor = this.#cursor;
    const place = cursor.place;
    if (cursor.takeIf("(")) {
      cursor.skipLines();
      const items = this.#expressions.list();
      cursor.skipLines();
      if (cursor.takeIf(")") && cursor.is("\n", ";", "}", ">", ">>", "|")) return items;
      // It is the beginning of an expression.
      cursor.back(place);
    }
    return this.#expressions.list({ noGreater: true });
  }

  #redirection(): Redirection | undefined {
    const cursor = this.#cursor;
    if (!cursor.is(">", ">>", "|")) return undefined;
    const mode = cursor.take().text as Redirection["mode"];
    if (mode === "|") this.#names.callsOthers = true;
    return { mode, target: this.#expressions.joined() };
  }
}
