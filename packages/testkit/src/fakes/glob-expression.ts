/** A glob over whole paths as a regular expression: `*`, `?`, `**`, `[a-z]` and `{a,b}`. */
export function globExpression(pattern: string): RegExp {
  const tokens = pattern.matchAll(/\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|[{},]|[^*?[{},]+|\[/g);
  let source = "";
  let depth = 0;
  for (const [token] of tokens) {
    if (token === "{") depth++;
    source += translate(token, depth > 0);
    if (token === "}" && depth > 0) depth--;
  }
  return new RegExp(`^${source}$`, "su");
}

function translate(token: string, inBraces: boolean): string {
  switch (token) {
    case "**/":
      return "(?:[^/]+/)*";
    case "**":
      return ".*";
    case "*":
      return "[^/]*";
    case "?":
      return "[^/]";
    case "{":
      return "(?:";
    case "}":
      return inBraces ? ")" : "\\}";
    case ",":
      return inBraces ? "|" : ",";
    default:
      return token.startsWith("[") && token.length > 1
        ? token.replace("[!", "[^")
        : token.replace(/[\\^$.|+()[\]{}]/g, "\\$&");
  }
}
