import type { GitIgnoreRule } from "@tenrec/protocol";
import type { CommandOutput } from "../shell-command.ts";
import { parseOptions, type ParsedOptions } from "../commands/parse-options.ts";
import { fatal, type GitCall, treePath } from "./git-call.ts";
import { asItIs, pathQuoter, type QuotePath } from "./quote-path.ts";

/** `git check-ignore`: which of some paths are ignored, and by which line of which file. */
export async function checkIgnoreCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "qvnz",
    long: { quiet: "q", verbose: "v", "non-matching": "n", stdin: "S", "no-index": "x" },
  });
  const end = options.has("z") ? "\0" : "\n";
  const given = pathsOf(call, options, end);
  const tracked = options.has("x") ? new Map<string, unknown>() : await call.git.files("index");
  const quote = options.has("z") ? asItIs : await pathQuoter(call);
  const lines: string[] = [];
  let isAny = false;
  for (const name of given) {
    const path = treePath(call, name);
    const isTracked = tracked.has(path.slice(1));
    const rule = isTracked ? undefined : await call.git.ignoredBy(name.endsWith("/") ? `${path}/` : path);
    const isFound = isMeant(rule, options);
    isAny ||= isFound;
    if (isFound || (options.has("v") && options.has("n"))) lines.push(lineOf(name, rule, options, quote) + end);
  }
  return { stdout: options.has("q") ? "" : lines.join(""), exitCode: isAny ? 0 : 1 };
}

function pathsOf(call: GitCall, options: ParsedOptions, end: string): string[] {
  const { operands } = options;
  if (operands.length === 0 && !options.has("S")) fatal("no path specified");
  return [...operands, ...(options.has("S") ? call.shell.stdin.text().split(end).filter(Boolean) : [])];
}

/** What says why names the lines that take a path back, too. */
function isMeant(rule: GitIgnoreRule | undefined, options: ParsedOptions): boolean {
  return rule !== undefined && (rule.isIgnored || options.has("v"));
}

function lineOf(name: string, rule: GitIgnoreRule | undefined, options: ParsedOptions, quote: QuotePath): string {
  if (!options.has("v")) return quote(name);
  const source = rule ? `${quote(rule.file.slice(1))}:${rule.line}:${rule.rule}` : "::";
  return `${source}\t${quote(name)}`;
}
