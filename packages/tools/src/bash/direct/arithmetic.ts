import { parseLine } from "../parse-line.ts";
import { discardLine } from "./endings.ts";
import type { Shell } from "./shell-state.ts";
import type { ArithmeticExpression, ArithmeticNode } from "./nodes.ts";
import { innerScope, refuse, type Scope, type Text } from "./scope.ts";
import { numberIn, numberOf, truth, wrap } from "./whole-numbers.ts";
import { isPlainName, setVariable, valueOf } from "./variables.ts";

/** An expression, compiled: what it gives is a whole number of 64 bits. */
export type Arithmetic = (shell: Shell) => Promise<bigint>;

/** What is between `((` and `))`. What is expanded in it is so before anything is calculated. */
export function compileArithmetic({ expression }: ArithmeticExpression, scope: Scope): Arithmetic {
  const texts: Text[] = [];
  const value = compileNode(expression, { scope, texts });
  if (texts.length === 0) return async (shell) => value(shell, []);
  return async (shell) => {
    const given: string[] = [];
    for (const text of texts) given.push(await text(shell));
    return value(shell, given);
  };
}

/** Calculates, with what was expanded before. */
type Calculation = (shell: Shell, given: readonly string[]) => bigint;

interface Context {
  readonly scope: Scope;
  /** What is expanded in it, in order. */
  readonly texts: Text[];
}

function compileNode(node: ArithmeticNode, context: Context): Calculation {
  switch (node.type) {
    case "ArithNumber": {
      // just-bash takes no larger ones, and makes that one of them.
      if (node.value >= Number.MAX_SAFE_INTEGER) {
        const problem =
          "a number of more than 15 digits in an expression: put it into a variable, and calculate with that";
        return (shell) => {
          throw discardLine(shell, problem);
        };
      }
      if (!Number.isSafeInteger(node.value)) refuse("a number that is none");
      const value = BigInt(node.value);
      return () => value;
    }
    case "ArithVariable": {
      const { name } = node;
      if (!isPlainName(name) && !/^[1-9]$/.test(name)) refuse(`the parameter ${name}`);
      // What is expanded is what it was before anything is calculated.
      if (node.hasDollarPrefix) return compileExpansion(`$${name}`, context);
      return (shell) => numberOf(shell, name);
    }
    case "ArithSpecialVar": {
      const { name } = node;
      if (name !== "#" && name !== "?") refuse(`the parameter ${name}`);
      return (shell) => BigInt(valueOf(shell, name) ?? 0);
    }
    case "ArithGroup":
    case "ArithNested":
      return compileNode(node.expression, context);
    case "ArithCommandSubst":
      return compileExpansion(`$(${node.command})`, context);
    case "ArithBracedExpansion":
      return compileExpansion(`\${${node.content}}`, context);
    case "ArithUnary":
      return compileUnary(node, context);
    case "ArithBinary":
      return compileBinary(node.operator, node.left, node.right, context);
    case "ArithTernary":
      return compileTernary(node, context);
    case "ArithAssignment":
      return compileAssignment(node, context);
    default:
      return refuse(node.type);
  }
}

/** What just-bash leaves as text. */
function compileExpansion(text: string, { scope, texts }: Context): Calculation {
  const command = parseLine(`: "${text}"`).script?.statements[0]?.pipelines[0]?.commands[0];
  const [word, ...more] = command?.type === "SimpleCommand" ? command.args : [];
  if (!word || more.length > 0) return refuse("an expansion in an expression");
  const at = texts.push(scope.compile.text(word, innerScope(scope))) - 1;
  return (shell, given) => numberIn(shell, given[at] ?? "");
}

type Node<Type extends ArithmeticNode["type"]> = Extract<ArithmeticNode, { type: Type }>;

function compileUnary({ operator, operand, prefix }: Node<"ArithUnary">, context: Context): Calculation {
  const value = compileNode(operand, context);
  switch (operator) {
    case "-":
      return (shell, given) => wrap(-value(shell, given));
    case "+":
      return value;
    case "!":
      return (shell, given) => truth(value(shell, given) === 0n);
    case "~":
      return (shell, given) => ~value(shell, given);
    default: {
      if (operand.type !== "ArithVariable" || operand.hasDollarPrefix || !isPlainName(operand.name))
        return refuse("an assignment to no variable");
      const { name } = operand;
      const step = operator === "++" ? 1n : -1n;
      return (shell) => {
        const before = numberOf(shell, name);
        const after = wrap(before + step);
        setVariable(shell, name, String(after));
        return prefix ? after : before;
      };
    }
  }
}

function compileTernary({ condition, consequent, alternate }: Node<"ArithTernary">, context: Context): Calculation {
  // just-bash takes what follows a comma for a part of it.
  if (alternate.type === "ArithBinary" && alternate.operator === ",") refuse("a comma behind a condition");
  const test = compileNode(condition, context);
  const [yes, no] = [compileNode(consequent, context), compileNode(alternate, context)];
  return (shell, given) => (test(shell, given) === 0n ? no(shell, given) : yes(shell, given));
}

function compileBinary(operator: string, first: ArithmeticNode, second: ArithmeticNode, context: Context): Calculation {
  const [left, right] = [compileNode(first, context), compileNode(second, context)];
  if (operator === "&&") return (shell, given) => truth(left(shell, given) !== 0n && right(shell, given) !== 0n);
  if (operator === "||") return (shell, given) => truth(left(shell, given) !== 0n || right(shell, given) !== 0n);
  const apply = OPERATORS[operator] ?? refuse(operator);
  return (shell, given) => apply(left(shell, given), right(shell, given), shell);
}

type Operator = (left: bigint, right: bigint, shell: Shell) => bigint;

const OPERATORS: Readonly<Record<string, Operator>> = {
  "+": (a, b) => wrap(a + b),
  "-": (a, b) => wrap(a - b),
  "*": (a, b) => wrap(a * b),
  "/": (a, b, shell) => wrap(a / divisor(b, shell)),
  "%": (a, b, shell) => wrap(a % divisor(b, shell)),
  "**": power,
  "<<": (a, b) => wrap(a << (b & 63n)),
  ">>": (a, b) => a >> (b & 63n),
  "<": (a, b) => truth(a < b),
  "<=": (a, b) => truth(a <= b),
  ">": (a, b) => truth(a > b),
  ">=": (a, b) => truth(a >= b),
  "==": (a, b) => truth(a === b),
  "!=": (a, b) => truth(a !== b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  ",": (_, b) => b,
};

function divisor(value: bigint, shell: Shell): bigint {
  if (value === 0n) throw discardLine(shell, "division by 0");
  return value;
}

function power(base: bigint, exponent: bigint, shell: Shell): bigint {
  if (exponent < 0n) throw discardLine(shell, "exponent less than 0");
  let result = 1n;
  let square = base;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = wrap(result * square);
    square = wrap(square * square);
  }
  return result;
}

function compileAssignment(node: Node<"ArithAssignment">, context: Context): Calculation {
  const { operator, variable, value } = node;
  if (node.subscript || node.stringKey !== undefined || !isPlainName(variable)) refuse(`the variable ${variable}`);
  const right = compileNode(value, context);
  if (operator === "=") return (shell, given) => assign(shell, variable, right(shell, given));
  const apply = OPERATORS[operator.slice(0, -1)] ?? refuse(operator);
  return (shell, given) => {
    const change = right(shell, given);
    return assign(shell, variable, apply(numberOf(shell, variable), change, shell));
  };
}

function assign(shell: Shell, name: string, value: bigint): bigint {
  setVariable(shell, name, String(value));
  return value;
}
