import type { SearchSummary } from "@tenrec/protocol";

/** Why a search found nothing, and what to try: an empty answer alone reads as "it is not there". */
export function explainEmpty(what: string, summary: SearchSummary | undefined, all: boolean): string {
  const { searched, ignored, hidden, binary } = summary ?? { searched: 0, ignored: 0, hidden: 0, binary: 0 };
  const skipped = [
    ignored > 0 && `${ignored} ignored`,
    hidden > 0 && `${hidden} hidden`,
    binary > 0 && `${binary} binary`,
  ].filter((text) => text !== false);
  const looked = `${what}: looked at ${searched} file${searched === 1 ? "" : "s"}`;
  const left = skipped.length ? `, left out ${skipped.join(", ")}` : "";
  const retry = !all && ignored + hidden > 0 ? ". Set all=true to look into ignored and hidden ones" : "";
  return `${looked}${left}${retry}.`;
}
