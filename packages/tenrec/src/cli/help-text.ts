import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { HELP } from "./parse-command.ts";

/** The list of commands. */
export function overview(commands: readonly CommandSpec[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "usage: tenrec <command> [options]",
    "",
    "Coding agents in a local Durable Object. They work on a copy of your folder.",
    "",
    "commands:",
    ...commands.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    "",
    "tenrec <command> --help says more about each, with examples. tenrec --version prints the version.",
    "",
    "exit codes: 0 done, 1 failed, 2 wrong use, 3 stopped by a budget or an unanswered approval, 130 interrupted",
    "",
  ].join("\n");
}

/** All about one command. */
export function commandHelp({ name, about, usage, details = [], options, examples }: CommandSpec): string {
  const rows = Object.entries({ ...options, help: HELP }).map(([key, option]) => [flagText(key, option), option.about]);
  const width = Math.max(...rows.map(([flag]) => flag?.length ?? 0));
  return [
    `usage: tenrec ${name}${usage === "" ? "" : ` ${usage}`}`,
    "",
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    ...(details.length > 0 ? ["", ...details] : []),
    "",
    "options:",
    ...rows.map(([flag = "", text]) => `  ${flag.padEnd(width)}  ${text}`),
    "",
    "examples:",
    ...examples.flatMap(({ line, about: what }) => [`  # ${what}`, `  ${line}`]),
    "",
  ].join("\n");
}

function flagText(name: string, { short, value }: OptionSpec): string {
  return [short === undefined ? "    " : `-${short}, `, `--${name}`, value ? ` ${value.name}` : ""].join("");
}
