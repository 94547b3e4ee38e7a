import type { ToolOutput } from "@tenrec/protocol";
import { hasCode, TenrecError } from "@tenrec/protocol";
import { failedOutput } from "../failed-output.ts";
import { nearestPath, type NearestPathPort } from "./nearest-path.ts";

/** What a search was asked for that may be refused. */
interface Asked {
  readonly pattern?: string | undefined;
  readonly glob?: string | undefined;
  readonly type?: string | undefined;
}

/** The answer for an error of a search: what of the question is wrong, and how to ask instead. */
export async function refusedSearch(
  fs: NearestPathPort,
  tool: string,
  asked: Asked,
  error: unknown,
): Promise<ToolOutput> {
  if (hasCode(error, "EINVAL"))
    return failedOutput(new TenrecError("tool-failed", { tool, reason: explain(asked, error.data) }));
  if (!hasCode(error, "ENOENT")) throw error;
  const failed = failedOutput(error);
  const [first = ""] = failed.text.split("\n");
  return { ...failed, text: `${first}\n${await nearestPath(fs, error.data.path)}` };
}

function explain({ glob, type }: Asked, { path, reason }: { readonly path: string; readonly reason: string }): string {
  if (path === type) return `type=${JSON.stringify(path)}: ${reason}`;
  if (path === glob)
    return `${JSON.stringify(path)} is not a valid glob (${reason}); a literal one of []{}*?\\ has a backslash before it`;
  return `the pattern ${JSON.stringify(path)} is not a valid regular expression (${reason}). ${fixOf(path, reason)}`;
}

/** What to write instead of what the engine does not have. */
function fixOf(pattern: string, reason: string): string {
  if (/\(\?<?[=!]/.test(pattern))
    return "The syntax is ripgrep's, without lookaround: search for the text around it, too, or run `grep -P` with bash.";
  if (/\\[1-9]/.test(pattern))
    return "The syntax is ripgrep's, without backreferences: write the text out, or run `grep -E` with bash.";
  if (reason.includes("line end")) return "Set multiline=true.";
  if (reason.includes("repeats too much")) return "Write it with smaller numbers, `*` or `+`.";
  if (reason.includes("steps")) return "Or narrow it with path or glob.";
  return `For plain text set literal=true.`;
}
