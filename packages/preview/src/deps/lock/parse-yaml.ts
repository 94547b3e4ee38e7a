import { Lexer, parse, YAMLParseError } from "yaml";

/** Lockfiles nest five levels deep, with two columns for each. */
const DEEPEST = 64;

/**
 * Reads a lockfile in YAML, in time linear to its length. Throws for what is no YAML, and for what nests deeper than lockfiles
 * do: the parser calls itself for what is inside, and with its stack full, it takes the process with it.
 */
export function parseYaml(text: string): unknown {
  checkDepth(text);
  try {
    // Each of these is off since it takes time quadratic to the length: keys that are maps become text, again at each level
    // around them; each key is compared to all before it; and each error is told with its line.
    return parse(text, { stringKeys: true, uniqueKeys: false, prettyErrors: false, logLevel: "error" }) as unknown;
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error;
    const line = text.slice(0, error.pos[0]).split("\n").length;
    throw new Error(`${error.message} (line ${line})`, { cause: error });
  }
}

function checkDepth(text: string): void {
  let flow = 0;
  let column = 0;
  let isStart = true;
  for (const token of new Lexer().lex(text)) {
    if (isStart && token.trim() === "") column = token.length;
    else if (isStart) column = 0;
    isStart = token.endsWith("\n");
    if (token === "{" || token === "[") flow += 1;
    else if (token === "}" || token === "]") flow = Math.max(0, flow - 1);
    else if (flow === 0 && /^[-?:]$/.test(token)) column += 1;
    if (flow > DEEPEST || column > DEEPEST) throw new Error("it nests too deep");
  }
}
