import { Bash, MountableFs } from "just-bash/browser";

/** A command line and what it means to bash. */
export interface ParsedLine {
  readonly text: string;
  /** Undefined when it is not valid, or not as far as it was understood. */
  readonly script: Script | undefined;
}

export type Script = ReturnType<Bash["transform"]>["ast"];

const NOTHING: Script = { type: "Script", statements: [] };

/** One that parses and runs nothing: without commands and a file system of its own it is made in no time. */
const PARSER: Bash = new Bash({ fs: new MountableFs(), commands: [], cwd: "/" });

// The tree is handed on beside what just-bash goes on with: to write it as text again takes longer than to parse it.
PARSER.registerTransformPlugin({ name: "tree", transform: ({ ast }) => ({ ast: NOTHING, metadata: { tree: ast } }) });

/**
 * just-bash takes the blanks from the beginning of lines before it parses, also of those in quotes that it does not see as
 * such. It leaves lines alone that it takes for a here-document, so this makes it take all of them for one: to the parser,
 * it is a comment.
 */
const AS_IT_IS = "# <<-__AS_IT_IS__\n";

export function parseLine(text: string): ParsedLine {
  const isIndented = /\n\s/.test(text) && !text.includes("__AS_IT_IS__");
  try {
    const { metadata } = PARSER.transform(isIndented ? AS_IT_IS + text : text);
    return { text, script: metadata["tree"] as Script };
  } catch {
    return { text, script: undefined };
  }
}
