/** What a word on the command line stands for; the shell completes it. */
type ValueKind = "folder" | "file" | "session" | "text";

export interface OptionSpec {
  readonly about: string;
  readonly short?: string;
  /** Name of its value, such as `<folder>`; a switch has none. */
  readonly value?: { readonly name: string; readonly kind: ValueKind; readonly oneOf?: readonly string[] };
  /** May be given more than once. */
  readonly multiple?: boolean;
}

export interface CommandSpec {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly about: string;
  /** What follows the name: `"<prompt>" [options]`. */
  readonly usage: string;
  /** More about it, as lines of text. */
  readonly details?: readonly string[];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** At most how many words that are no options. */
  readonly words: number;
  /** First words that it knows, for completion. */
  readonly subcommands?: readonly string[];
  readonly examples: readonly { readonly line: string; readonly about: string }[];
}
