import type { Names } from "./names.ts";
import type { ArrayPlace, Arithmetic, FieldNode, Node, Place } from "./syntax.ts";
import type { TokenCursor } from "./token-cursor.ts";
import { syntaxError } from "./tokenize.ts";

/** What the place of an expression does not allow. */
interface Context {
  /** `>` redirects, as in `print`. */
  readonly noGreater?: boolean;
}

const ASSIGNMENTS = new Set(["=", "+=", "-=", "*=", "/=", "%=", "^="]);

/** Expressions of a program, from the weakest operator to the strongest. */
export class ExpressionParser {
  readonly #cursor: TokenCursor;
  readonly #names: Names;

  constructor(cursor: TokenCursor, names: Names) {
    this.#cursor = cursor;
    this.#names = names;
  }

  parse(context: Context = {}): Node {
    return this.#cursor.within(() => this.#assignment(context));
  }

  /** What a redirection goes to: without comparisons. */
  joined(): Node {
    return this.#joined({ noGreater: true });
  }

  /** At least one. */
  list(context: Context = {}): Node[] {
    const items = [this.parse(context)];
    while (this.#cursor.takeIf(",")) {
      this.#cursor.skipLines();
      items.push(this.parse(context));
    }
    return items;
  }

  #assignment(context: Context): Node {
    const target = this.#choice(context);
    const { kind, text } = this.#cursor.token;
    if (kind !== "sign" || !ASSIGNMENTS.has(text)) return target;
    const taken = assignable(target);
    if (!taken) throw this.#cursor.problem();
    this.#cursor.take();
    this.#cursor.skipLines();
    const value = this.parse(context);
    return taken.wrap({ kind: "assign", operator: text.slice(0, -1) as Arithmetic | "", target: taken.place, value });
  }

  #choice(context: Context): Node {
    const test = this.#or(context);
    const cursor = this.#cursor;
    if (!cursor.takeIf("?")) return test;
    cursor.skipLines();
    const yes = this.parse(context);
    cursor.skipLines();
    cursor.expect(":");
    cursor.skipLines();
    const no = this.parse(context);
    return { kind: "choose", test, yes, no };
  }

  #or(context: Context): Node {
    let left = this.#and(context);
    while (this.#cursor.takeIf("||")) {
      this.#cursor.skipLines();
      left = { kind: "or", left, right: this.#and(context) };
    }
    return left;
  }

  #and(context: Context): Node {
    let left = this.#in(context);
    while (this.#cursor.takeIf("&&")) {
      this.#cursor.skipLines();
      left = { kind: "and", left, right: this.#in(context) };
    }
    return left;
  }

  #in(context: Context): Node {
    let left = this.#matching(context);
    while (this.#cursor.isWord("in")) {
      this.#cursor.take();
      left = { kind: "in", keys: left.kind === "list" ? left.items : [left], array: this.array() };
    }
    return left.kind === "in" ? this.#compared(left, context) : left;
  }

  #matching(context: Context): Node {
    let left = this.#comparison(context);
    while (this.#cursor.is("~", "!~")) {
      const isNegated = this.#cursor.take().text === "!~";
      left = { kind: "match", isNegated, left, right: this.#comparison(context) };
    }
    return left;
  }

  #comparison(context: Context): Node {
    return this.#compared(this.#joined(context), context);
  }

  #compared(left: Node, context: Context): Node {
    const signs = ["<", "<=", "==", "!=", ">=", ...(context.noGreater ? [] : [">"])];
    if (!this.#cursor.is(...signs)) return left;
    const operator = this.#cursor.take().text;
    // Another one behind it is no valid program.
    return { kind: "compare", operator, left, right: this.#joined(context) };
  }

  #joined(context: Context): Node {
    const parts = [this.#sum(context)];
    for (;;) {
      if (this.#cursor.is("|") && this.#cursor.next.text === "getline" && this.#cursor.next.kind === "word") {
        this.#cursor.take();
        this.#cursor.take();
        const source: Node = joinOf(parts);
        parts.splice(0, parts.length, { kind: "getline", from: "command", source, target: this.#optionalPlace() });
        this.#names.callsOthers = true;
      } else if (this.#cursor.is("|&")) {
        throw syntaxError(this.#cursor.token.line, "|& (a command beside awk) is not supported; use | or a file");
      } else if (this.#beginsOperand()) parts.push(this.#sum(context));
      else return joinOf(parts);
    }
  }

  /** Whether an operand follows, which is joined to what is before it. */
  #beginsOperand(): boolean {
    const { kind, text } = this.#cursor.token;
    if (kind === "sign") return ["$", "!", "(", "-", "+", "++", "--"].includes(text);
    return kind !== "word" && kind !== "newline" && kind !== "end";
  }

  #sum(context: Context): Node {
    let left = this.#product(context);
    while (this.#cursor.is("+", "-")) {
      const operator = this.#cursor.take().text as Arithmetic;
      left = { kind: "binary", operator, left, right: this.#product(context) };
    }
    return left;
  }

  #product(context: Context): Node {
    let left = this.#unary(context);
    while (this.#cursor.is("*", "/", "%")) {
      const { text, line } = this.#cursor.take();
      const operator = text as Arithmetic;
      const right = this.#unary(context);
      // GNU's says it of a number in the program before anything is done.
      if (operator !== "*" && right.kind === "number" && right.value === 0)
        throw syntaxError(line, `error: division by zero attempted${operator === "%" ? " in `%'" : ""}`);
      left = { kind: "binary", operator, left, right };
    }
    return left;
  }

  #unary(context: Context): Node {
    if (!this.#cursor.is("!", "-", "+")) return this.#power(context);
    const operator = this.#cursor.take().text as "!" | "-" | "+";
    const operand = this.#cursor.within(() => this.#unary(context));
    // An assignment goes as far as it can, whatever is before it.
    if (operator !== "!" || !this.#cursor.is(...ASSIGNMENTS)) return { kind: "unary", operator, operand };
    const taken = assignable(operand);
    if (!taken) throw this.#cursor.problem();
    const sign = this.#cursor.take().text;
    const value = this.parse(context);
    const assigned = taken.wrap({
      kind: "assign",
      operator: sign.slice(0, -1) as Arithmetic | "",
      target: taken.place,
      value,
    });
    return { kind: "unary", operator, operand: assigned };
  }

  #power(context: Context): Node {
    const left = this.#postfix();
    if (!this.#cursor.takeIf("^")) return left;
    // The exponent may have a sign, and it is the first to be computed.
    return { kind: "binary", operator: "^", left, right: this.#cursor.within(() => this.#unary(context)) };
  }

  #postfix(): Node {
    const operand = this.#primary();
    if (!this.#cursor.is("++", "--") || !isPlace(operand)) return operand;
    const by = this.#cursor.take().text === "++" ? 1 : -1;
    return { kind: "increment", target: operand, by, isBefore: false };
  }

  #primary(): Node {
    const cursor = this.#cursor;
    const { kind, text, value, line } = cursor.token;
    switch (kind) {
      case "number":
        cursor.take();
        return { kind: "number", value };
      case "text":
        cursor.take();
        return { kind: "text", value: text };
      case "regex":
        cursor.take();
        return { kind: "regex", source: text };
      case "name":
        return this.#variable();
      case "callee":
        return this.#call();
      case "builtin":
        return this.#builtin();
      case "word":
        if (text !== "getline") break;
        cursor.take();
        return this.#getline();
      case "sign":
        if (text === "(") return this.#parenthesis();
        if (text === "$") return this.#field();
        if (text === "++" || text === "--") return this.#incremented();
        if (text === "@")
          throw syntaxError(
            line,
            "@ (indirect calls, typed expressions, @include) is not supported; call functions by their names, and give files with -f",
          );
        // A sign behind an operator of its own, as in `2 - -1`.
        if (text === "-" || text === "+" || text === "!") return cursor.within(() => this.#unary({}));
        break;
      case "newline":
      case "end":
        break;
    }
    throw cursor.problem();
  }

  #parenthesis(): Node {
    const cursor = this.#cursor;
    cursor.take();
    cursor.skipLines();
    const items = this.list();
    cursor.skipLines();
    cursor.expect(")");
    const [only] = items;
    if (items.length > 1) {
      if (!cursor.isWord("in")) throw cursor.problem();
      return { kind: "list", items };
    }
    if (!only) throw cursor.problem();
    return { kind: "group", inner: only };
  }

  #field(): FieldNode | Node {
    this.#cursor.take();
    if (this.#cursor.is("++", "--")) return { kind: "field", index: this.#incremented() };
    if (this.#cursor.is("-", "+", "!")) {
      const operator = this.#cursor.take().text as "-" | "+" | "!";
      return { kind: "field", index: { kind: "unary", operator, operand: this.#primary() } };
    }
    return { kind: "field", index: this.#cursor.within(() => this.#primary()) };
  }

  #incremented(): Node {
    const by = this.#cursor.take().text === "++" ? 1 : -1;
    const target = this.#cursor.within(() => this.#primary());
    if (!isPlace(target)) throw this.#cursor.problem();
    return { kind: "increment", target, by, isBefore: true };
  }

  #variable(): Place {
    const { text, line } = this.#cursor.take();
    const name = this.#names.find(text, line);
    if (!this.#cursor.is("[")) return { kind: "name", name };
    name.isArray = true;
    let place: ArrayPlace = { kind: "name", name };
    while (this.#cursor.takeIf("[")) {
      const keys = this.list();
      this.#cursor.expect("]");
      place = { kind: "index", array: place, keys };
    }
    return place;
  }

  /** The name or the element that is an array. */
  array(): ArrayPlace {
    if (this.#cursor.token.kind !== "name") throw this.#cursor.problem();
    const place = this.#variable();
    if (place.kind === "field") throw this.#cursor.problem();
    if (place.kind === "name") place.name.isArray = true;
    return place;
  }

  #call(): Node {
    const { text, line } = this.#cursor.take();
    const args = this.#arguments();
    const call: Node = { kind: "call", name: text, args };
    this.#names.called(call, line);
    return call;
  }

  #arguments(): Node[] {
    const cursor = this.#cursor;
    cursor.expect("(");
    cursor.skipLines();
    const args = cursor.is(")") ? [] : this.list();
    cursor.skipLines();
    cursor.expect(")");
    return args;
  }

  #builtin(): Node {
    const { text: name, line } = this.#cursor.take();
    if (name === "length" && !this.#cursor.is("(")) return { kind: "builtin", name, args: [] };
    const args = this.#arguments();
    this.#names.usesBuiltin(name, args, line);
    return { kind: "builtin", name, args };
  }

  #getline(): Node {
    const target = this.#optionalPlace();
    if (!this.#cursor.takeIf("<")) return { kind: "getline", from: "input", source: undefined, target };
    return { kind: "getline", from: "file", source: this.#postfix(), target };
  }

  #optionalPlace(): Place | undefined {
    const { kind, text } = this.#cursor.token;
    if (kind === "name") return this.#variable();
    if (kind !== "sign" || text !== "$") return undefined;
    const field = this.#field();
    return isPlace(field) ? field : undefined;
  }
}

export function isPlace(node: Node): node is Place {
  return node.kind === "name" || node.kind === "index" || node.kind === "field";
}

function joinOf(parts: readonly Node[]): Node {
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind: "join", parts: [...parts] };
}

interface Assignable {
  readonly place: Place;
  /** The assignment in what was before it. */
  readonly wrap: (assignment: Node) => Node;
}

/** In `a == b = c` and `x && y = z` it is the last operand that is assigned to. */
function assignable(node: Node): Assignable | undefined {
  if (isPlace(node)) return { place: node, wrap: (assignment) => assignment };
  if (node.kind === "unary") {
    const inner = assignable(node.operand);
    return inner && { place: inner.place, wrap: (assignment) => ({ ...node, operand: inner.wrap(assignment) }) };
  }
  if (node.kind !== "and" && node.kind !== "or" && node.kind !== "match" && node.kind !== "compare") return undefined;
  const inner = assignable(node.right);
  return inner && { place: inner.place, wrap: (assignment) => ({ ...node, right: inner.wrap(assignment) }) };
}
