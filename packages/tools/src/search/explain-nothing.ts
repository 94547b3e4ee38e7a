import type { LeftOut, SearchSummary } from "@tenrec/protocol";
import { toModelPath } from "../workspace-path.ts";

/** Paths that are named; the others are counted. */
const SHOWN = 5;
/** Paths after which it is enough to know that there are so many. */
const ENOUGH = 100;

export interface Nothing {
  /** Such as "No match". */
  readonly what: string;
  readonly summary: SearchSummary;
  /** Paths that match when nothing is left out; not asked for when nothing was. */
  readonly everywhere: () => AsyncIterable<string>;
  /** What may be wrong with the question. */
  readonly hints?: readonly string[];
}

/** Why a search found nothing, and what to try: an empty answer alone reads as "it is not there". */
export async function explainNothing({ what, summary, everywhere, hints = [] }: Nothing): Promise<string> {
  const { searched, ignored, hidden, binary, large } = summary;
  const others = [count(binary, "binary file"), count(large, "file too large")].filter((text) => text !== undefined);
  const left = others.length > 0 ? `; ${others.join(" and ")} not searched, which path=<file> does` : "";
  const first = `${what} in ${searched === 0 ? "no file at all" : count(searched, "file")}${left}.`;
  const parts = [first, ...hints];
  if (ignored + hidden > 0) parts.splice(1, 0, await explainLeftOut(summary, everywhere()));
  return parts.join("\n");
}

async function explainLeftOut({ leftOut = [] }: SearchSummary, paths: AsyncIterable<string>): Promise<string> {
  const shown: string[] = [];
  let found = 0;
  for await (const path of paths) {
    if (found++ < SHOWN) shown.push(`${toModelPath(path)} (${whyLeftOut(path, leftOut)})`);
    if (found === ENOUGH) break;
  }
  if (found === 0) return "Nor is there one in what is ignored or hidden.";
  const number = found === ENOUGH ? `${ENOUGH} or more that were` : found === 1 ? "1 that was" : `${found} that were`;
  const rest = found > shown.length ? " …" : "";
  return `${number} left out would: ${shown.join(", ")}${rest}. Set all=true to include ignored and hidden ones.`;
}

/** The rule that a path, or a directory above it, was left out by. */
function whyLeftOut(path: string, leftOut: readonly LeftOut[]): string {
  const reason = leftOut.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  if (reason?.why === "ignored") return `ignored by ${JSON.stringify(reason.rule)} in ${toModelPath(reason.file)}`;
  return reason?.why ?? "ignored or hidden";
}

function count(number: number, what: string): string | undefined {
  if (number === 0) return undefined;
  return number === 1 ? `1 ${what}` : `${number} ${what.replace("file", "files")}`;
}
