import { AwkError } from "./awk-error.ts";
import { ExpressionParser } from "./parse-expression.ts";
import { Names } from "./names.ts";
import { StatementParser } from "./parse-statement.ts";
import type { Name, Pattern, Program, Rule, Statement } from "./syntax.ts";
import { TokenCursor } from "./token-cursor.ts";
import { syntaxError, tokenize } from "./tokenize.ts";

/** The program of a text; `AwkError` where it is not valid, or has something in it that is not supported. */
export function parseProgram(source: string): Program {
  try {
    return new ProgramParser(source).parse();
  } catch (error) {
    if (error instanceof RangeError) throw new AwkError("the program is nested too deep");
    throw error;
  }
}

const EMPTY: Statement = { kind: "block", body: [] };

class ProgramParser {
  readonly #cursor: TokenCursor;
  readonly #names = new Names();
  readonly #expressions: ExpressionParser;
  readonly #statements: StatementParser;
  readonly #warnings: string[] = [];
  readonly #begin: Statement[] = [];
  readonly #end: Statement[] = [];
  readonly #beginFile: Statement[] = [];
  readonly #endFile: Statement[] = [];
  readonly #rules: Rule[] = [];

  constructor(source: string) {
    this.#cursor = new TokenCursor(tokenize(source, this.#warnings));
    this.#expressions = new ExpressionParser(this.#cursor, this.#names);
    this.#statements = new StatementParser(this.#cursor, this.#names, this.#expressions);
  }

  parse(): Program {
    const cursor = this.#cursor;
    for (;;) {
      while (cursor.is("\n", ";")) cursor.take();
      if (cursor.token.kind === "end") break;
      this.#item();
    }
    this.#names.resolve();
    return {
      begin: this.#begin,
      end: this.#end,
      beginFile: this.#beginFile,
      endFile: this.#endFile,
      rules: this.#rules,
      functions: this.#names.functions,
      globals: this.#names.globals,
      warnings: this.#warnings,
      callsOthers: this.#names.callsOthers,
    };
  }

  #item(): void {
    const cursor = this.#cursor;
    const { text, kind } = cursor.token;
    const special: Readonly<Record<string, Statement[]>> = {
      BEGIN: this.#begin,
      END: this.#end,
      BEGINFILE: this.#beginFile,
      ENDFILE: this.#endFile,
    };
    const blocks = kind === "word" && Object.hasOwn(special, text) ? special[text] : undefined;
    if (blocks) {
      cursor.take();
      if (!cursor.is("{")) throw syntaxError(cursor.token.line, `${text} blocks must have an action part`);
      blocks.push(this.#statements.block({ inFunction: false, where: text }));
    } else if (cursor.isWord("function")) this.#function();
    else this.#rule();
  }

  #rule(): void {
    const cursor = this.#cursor;
    const pattern = cursor.is("{") ? ({ kind: "always" } as const) : this.#pattern();
    const body = cursor.is("{") ? this.#statements.block({ inFunction: false, where: "rule" }) : undefined;
    if (!body && !cursor.is("\n", ";") && cursor.token.kind !== "end") throw cursor.problem();
    this.#rules.push({ pattern, body });
  }

  #pattern(): Pattern {
    const cursor = this.#cursor;
    const from = this.#expressions.parse();
    if (!cursor.takeIf(",")) return { kind: "test", test: from };
    cursor.skipLines();
    return { kind: "range", from, to: this.#expressions.parse() };
  }

  #function(): void {
    const cursor = this.#cursor;
    cursor.take();
    const { kind, text: name, line } = cursor.take();
    if (kind !== "name" && kind !== "callee")
      throw syntaxError(line, `syntax error: \`${name}' cannot be a function's name`);
    cursor.expect("(");
    const parameters: Name[] = [];
    cursor.skipLines();
    while (cursor.token.kind === "name") {
      const parameter = cursor.take().text;
      if (parameter === name || parameters.some((each) => each.name === parameter))
        throw syntaxError(
          line,
          `function \`${name}': parameter \`${parameter}' is there twice, or has the function's name`,
        );
      parameters.push({ name: parameter, local: parameters.length, isArray: false });
      cursor.skipLines();
      if (!cursor.takeIf(",")) break;
      cursor.skipLines();
    }
    cursor.expect(")");
    cursor.skipLines();
    if (this.#names.functions.has(name)) throw syntaxError(line, `function name \`${name}' previously defined`);
    this.#names.functions.set(name, { name, parameters, body: EMPTY });
    this.#names.enter(parameters);
    const body = this.#statements.block({ inFunction: true, where: "function" });
    this.#names.enter([]);
    this.#names.functions.set(name, { name, parameters, body });
  }
}
