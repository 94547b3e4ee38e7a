import { findNodeAtLocation, type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { parse as parseToml, TomlError } from "smol-toml";
import type { Problem } from "../problem.ts";
import { positionOf } from "../report/position.ts";

/** A parsed file, and where in its text a field is. */
export interface ConfigText {
  readonly value: unknown;
  /** The text offset of a field's value, or of the nearest one around it; undefined where the format does not tell. */
  offsetOf(field: readonly (string | number)[]): number | undefined;
}

/** Reads JSON with comments and trailing commas, or TOML by the name's ending. */
export function parseConfigText(path: string, text: string): ConfigText | Problem {
  return path.endsWith(".toml") ? fromToml(path, text) : fromJson(path, text);
}

function fromToml(path: string, text: string): ConfigText | Problem {
  try {
    return { value: parseToml(text), offsetOf: () => undefined };
  } catch (error) {
    if (error instanceof RangeError) return { path, message: `not valid TOML: ${TOO_DEEP}` };
    if (!(error instanceof TomlError)) throw error;
    const message = error.message.split("\n", 1)[0]?.replace("Invalid TOML document: ", "") ?? "";
    return { path, line: error.line, column: error.column, message: `not valid TOML: ${message}` };
  }
}

const TOO_DEEP = "it nests too deep";

function fromJson(path: string, text: string): ConfigText | Problem {
  try {
    return fromFlatJson(path, text);
  } catch (error) {
    // Its parser calls itself for what is inside.
    if (error instanceof RangeError) return { path, message: `not valid JSON: ${TOO_DEEP}` };
    throw error;
  }
}

function fromFlatJson(path: string, text: string): ConfigText | Problem {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: false };
  const value: unknown = parse(text, errors, options);
  const [first] = errors;
  if (first) {
    const what = printParseErrorCode(first.error).replaceAll(/([a-z])([A-Z])/g, "$1 $2");
    return { path, ...positionOf(text, first.offset), message: `not valid JSON: ${what.toLowerCase()}` };
  }
  const tree = parseTree(text, [], options);
  return { value, offsetOf: (field) => nearest(tree, field)?.offset };
}

function nearest(tree: Node | undefined, field: readonly (string | number)[]): Node | undefined {
  if (!tree) return undefined;
  for (let length = field.length; length >= 0; length -= 1) {
    const node = findNodeAtLocation(tree, field.slice(0, length));
    if (node) return node;
  }
  return tree;
}
