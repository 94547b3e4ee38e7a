import type { CommandSpec, OptionSpec } from "../cli/command-spec.ts";

/** A script for fish that completes commands, options and their values. `sessions` is the folder of the records. */
export function fishCompletion(commands: readonly CommandSpec[], sessions: string): string {
  const lines = commands.flatMap(({ name, about, options, subcommands = [] }) => [
    `complete -c tenrec -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...subcommands.map((word) => `complete -c tenrec -n '__fish_seen_subcommand_from ${name}' -a ${word}`),
    ...Object.entries(options).map(([option, spec]) => optionLine(name, option, spec, sessions)),
  ]);
  return ["complete -c tenrec -f", ...lines, ""].join("\n");
}

function optionLine(command: string, option: string, { about, short, value }: OptionSpec, sessions: string): string {
  const flags = [`-l ${option}`, ...(short === undefined ? [] : [`-s ${short}`])].join(" ");
  const start = `complete -c tenrec -n '__fish_seen_subcommand_from ${command}' ${flags}`;
  return [start, value ? valueFlags(value, sessions) : "", `-d ${quoted(about)}`].filter(Boolean).join(" ");
}

function valueFlags({ kind, oneOf }: NonNullable<OptionSpec["value"]>, sessions: string): string {
  if (oneOf) return `-x -a ${quoted(oneOf.join(" "))}`;
  if (kind === "folder") return "-x -a '(__fish_complete_directories)'";
  if (kind === "file") return "-r -F";
  if (kind === "session") return `-x -a ${quoted(`(ls ${quoted(sessions)} 2>/dev/null | string replace -f .json '')`)}`;
  return "-x";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
