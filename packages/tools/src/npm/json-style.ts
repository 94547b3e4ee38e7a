export interface JsonStyle {
  readonly indent: string;
  /** `\n` or `\r\n`. */
  readonly newline: string;
}

/** How a file of JSON is laid out; npm's own way for one that is empty or in one line. */
export function jsonStyle(text: string): JsonStyle {
  const [, newline = "\n", indent = "  "] = /^\s*[{[](\r?\n)([ \t]+)/.exec(text) ?? [];
  return { indent, newline };
}

/** Text of JSON in a style. */
export function inStyle(json: string, { newline }: JsonStyle): string {
  return newline === "\n" ? json : json.replaceAll("\n", newline);
}
