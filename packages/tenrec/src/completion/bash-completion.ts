import type { CommandSpec, OptionSpec } from "../cli/command-spec.ts";

/** A script for bash that completes commands, options and their values. `sessions` is the folder of the records. */
export function bashCompletion(commands: readonly CommandSpec[], sessions: string): string {
  return `_tenrec() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), "--help", "--version"].join(" ")}" -- "$word"))
    return
  fi
  case "$command $before" in
${commands.flatMap((command) => Object.entries(command.options).flatMap(([name, option]) => valueCase(command, name, option, sessions))).join("\n")}
  esac
  case "$command" in
${commands.map((command) => wordsCase(command)).join("\n")}
  esac
}
complete -o filenames -F _tenrec tenrec
`;
}

function valueCase({ name }: CommandSpec, option: string, spec: OptionSpec, sessions: string): string[] {
  const { value, short } = spec;
  if (!value) return [];
  const patterns = [`"${name} --${option}"`, ...(short === undefined ? [] : [`"${name} -${short}"`])].join("|");
  return [`    ${patterns}) COMPREPLY=($(${generator(value, sessions)})); return;;`];
}

function generator({ kind, oneOf }: NonNullable<OptionSpec["value"]>, sessions: string): string {
  if (oneOf) return `compgen -W "${oneOf.join(" ")}" -- "$word"`;
  if (kind === "folder") return 'compgen -d -- "$word"';
  if (kind === "file") return 'compgen -f -- "$word"';
  if (kind === "session")
    return `compgen -W "$(ls ${quoted(sessions)} 2>/dev/null | sed -n 's/\\.json$//p')" -- "$word"`;
  return ":";
}

function wordsCase({ name, options, subcommands = [] }: CommandSpec): string {
  const words = [...Object.keys({ ...options, help: {} }).map((option) => `--${option}`), ...subcommands];
  return `    ${name}) COMPREPLY=($(compgen -W "${words.join(" ")}" -- "$word"));;`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
