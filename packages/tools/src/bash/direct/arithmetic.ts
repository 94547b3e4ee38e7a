import { discardLine, endUnset } from "./endings.ts";
import type { Shell } from "./shell-state.ts";
import type { ArithmeticNode } from "./nodes.ts";
import { isPlainName, setVariable, valueOf } from "./variables.ts";

/** An expression, compiled: what it gives is a whole number of 64 bits. */
export type Arithmetic = (shell: Shell) => bigint;

/** The expression, unless something in it is not known to be right. */
export function compileArithmetic(node: ArithmeticNode): Arithmetic | undefined {
  switch (node.type) {
    case "ArithNumber": {
      if (!Number.isSafeInteger(node.value)) return undefined;
      const value = BigInt(node.value);
      return () => value;
    }
    case "ArithVariable": {
      const { name } = node;
      if (!isPlainName(name) && !/^[1-9]$/.test(name)) return undefined;
      return (shell) => numberOf(shell, name);
    }
    case "ArithSpecialVar": {
      const { name } = node;
      return name === "#" || name === "?" ? (shell) => BigInt(valueOf(shell, name) ?? 0) : undefined;
    }
    case "ArithGroup":
    case "ArithNested":
      return compileArithmetic(node.expression);
    case "ArithUnary":
      return compileUnary(node);
    case "ArithBinary":
      return compileBinary(node.operator, node.left, node.right);
    case "ArithTernary":
      return compileTernary(node);
    case "ArithAssignment":
      return compileAssignment(node);
    default:
      return undefined;
  }
}

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
const truth = (value: boolean): bigint => (value ? 1n : 0n);

/** What a variable stands for: a number, or the name of another variable. */
function numberOf(shell: Shell, name: string, depth = 0): bigint {
  const value = valueOf(shell, name);
  if (value === undefined && shell.options.nounset) throw endUnset(shell, `${name}: unbound variable`);
  return numberIn(shell, value ?? "", depth);
}

const MAX_NAMES = 20;

/** The number that a text is, or that the variable of this name stands for. */
export function numberIn(shell: Shell, given: string, depth = 0): bigint {
  const text = given.trim();
  if (text === "") return 0n;
  if (isPlainName(text)) {
    if (depth <= MAX_NAMES) return numberOf(shell, text, depth + 1);
    throw discardLine(shell, `${text}: expression recursion level exceeded (error token is "${text}")`);
  }
  const [, sign = "", digits = ""] = /^([-+]?)((?:0[xX])?[\da-fA-F]+)$/.exec(text) ?? [];
  if (/^0[0-7]*$/.test(digits)) return signed(sign, BigInt(`0o${digits}`));
  if (/^[1-9]\d*$/.test(digits) || /^0x/i.test(digits)) return signed(sign, BigInt(digits));
  if (/^\d+$/.test(digits)) throw discardLine(shell, `${text}: value too great for base (error token is "${digits}")`);
  throw discardLine(
    shell,
    `"${text.slice(0, MAX_SHOWN)}" is no number; calculate it with $(( )) before it is used in one`,
  );
}

const MAX_SHOWN = 100;

function signed(sign: string, value: bigint): bigint {
  return wrap(sign === "-" ? -value : value);
}

type Node<Type extends ArithmeticNode["type"]> = Extract<ArithmeticNode, { type: Type }>;

function compileUnary({ operator, operand, prefix }: Node<"ArithUnary">): Arithmetic | undefined {
  const value = compileArithmetic(operand);
  if (!value) return undefined;
  switch (operator) {
    case "-":
      return (shell) => wrap(-value(shell));
    case "+":
      return value;
    case "!":
      return (shell) => truth(value(shell) === 0n);
    case "~":
      return (shell) => ~value(shell);
    default: {
      if (operand.type !== "ArithVariable" || operand.hasDollarPrefix || !isPlainName(operand.name)) return undefined;
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

function compileTernary({ condition, consequent, alternate }: Node<"ArithTernary">): Arithmetic | undefined {
  // just-bash takes what follows a comma for a part of it.
  if (alternate.type === "ArithBinary" && alternate.operator === ",") return undefined;
  const [test, yes, no] = [condition, consequent, alternate].map(compileArithmetic);
  return test && yes && no && ((shell) => (test(shell) === 0n ? no(shell) : yes(shell)));
}

function compileBinary(operator: string, first: ArithmeticNode, second: ArithmeticNode): Arithmetic | undefined {
  const [left, right] = [compileArithmetic(first), compileArithmetic(second)];
  if (!left || !right) return undefined;
  if (operator === "&&") return (shell) => truth(left(shell) !== 0n && right(shell) !== 0n);
  if (operator === "||") return (shell) => truth(left(shell) !== 0n || right(shell) !== 0n);
  const apply = OPERATORS[operator];
  return apply && ((shell) => apply(left(shell), right(shell), shell));
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

function compileAssignment(node: Node<"ArithAssignment">): Arithmetic | undefined {
  const { operator, variable, value } = node;
  if (node.subscript || node.stringKey !== undefined || !isPlainName(variable)) return undefined;
  const right = compileArithmetic(value);
  const apply = operator === "=" ? undefined : OPERATORS[operator.slice(0, -1)];
  if (!right || (operator !== "=" && !apply)) return undefined;
  return (shell) => {
    const given = right(shell);
    const result = apply ? apply(numberOf(shell, variable), given, shell) : given;
    setVariable(shell, variable, String(result));
    return result;
  };
}
