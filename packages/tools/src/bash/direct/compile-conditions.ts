import { compileArithmetic } from "./arithmetic.ts";
import { compilePattern, compileText } from "./compile-word.ts";
import { LineDiscarded } from "./endings.ts";
import { compareNumbers, fileTest, isFileTest } from "./file-tests.ts";
import type { ConditionalNode, NodeOf } from "./nodes.ts";
import { matchesWhole } from "./pattern.ts";
import { refuse, type Scope } from "./scope.ts";
import type { Code, Shell } from "./shell-state.ts";
import { isPlainName, valueOf } from "./variables.ts";

/** `(( … ))` */
export function compileArithmeticCommand({ expression }: NodeOf<"ArithmeticCommand">, scope: Scope): Code {
  const value = compileArithmetic(expression, scope);
  return async (shell) => {
    try {
      return (await value(shell)) === 0n ? 1 : 0;
    } catch (error) {
      // Here an error is a failure like any other.
      if (error instanceof LineDiscarded) return 1;
      throw error;
    }
  };
}

type Condition = (shell: Shell) => Promise<boolean>;

/** `[[ … ]]` */
export function compileConditionalCommand({ expression }: NodeOf<"ConditionalCommand">, scope: Scope): Code {
  const condition = compileCondition(expression, scope);
  return async (shell) => {
    try {
      return (await condition(shell)) ? 0 : 1;
    } catch (error) {
      if (error instanceof LineDiscarded) return 1;
      throw error;
    }
  };
}

function compileCondition(node: ConditionalNode, scope: Scope): Condition {
  switch (node.type) {
    case "CondNot": {
      const inner = compileCondition(node.operand, scope);
      return async (shell) => !(await inner(shell));
    }
    case "CondAnd":
    case "CondOr": {
      const [left, right] = [compileCondition(node.left, scope), compileCondition(node.right, scope)];
      if (node.type === "CondAnd") return async (shell) => (await left(shell)) && (await right(shell));
      return async (shell) => (await left(shell)) || (await right(shell));
    }
    case "CondGroup":
      return compileCondition(node.expression, scope);
    case "CondWord": {
      const text = compileText(node.word, scope);
      return async (shell) => (await text(shell)) !== "";
    }
    case "CondUnary":
      return compileUnary(node, scope);
    case "CondBinary":
      return compileBinary(node, scope);
  }
}

function compileUnary({ operator, operand }: Extract<ConditionalNode, { type: "CondUnary" }>, scope: Scope): Condition {
  const text = compileText(operand, scope);
  if (operator === "-z") return async (shell) => (await text(shell)) === "";
  if (operator === "-n") return async (shell) => (await text(shell)) !== "";
  if (operator === "-v")
    return async (shell) => {
      const name = await text(shell);
      return isPlainName(name) && valueOf(shell, name) !== undefined;
    };
  if (!isFileTest(operator)) refuse(`[[ ${operator}`);
  return async (shell) => fileTest(operator, await text(shell), shell);
}

function compileBinary(node: Extract<ConditionalNode, { type: "CondBinary" }>, scope: Scope): Condition {
  const { operator } = node;
  const left = compileText(node.left, scope);
  if (operator === "=" || operator === "==" || operator === "!=") {
    const pattern = compilePattern(node.right, scope);
    return async (shell) => {
      const text = await left(shell);
      return matchesWhole(await pattern(shell), text) === (operator !== "!=");
    };
  }
  const right = compileText(node.right, scope);
  if (operator === "<") return async (shell) => (await left(shell)) < (await right(shell));
  if (operator === ">") return async (shell) => (await left(shell)) > (await right(shell));
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) refuse(`[[ ${operator}`);
  return async (shell) => compareNumbers(operator, await left(shell), await right(shell), shell);
}
