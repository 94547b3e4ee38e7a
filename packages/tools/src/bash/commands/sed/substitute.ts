import type { GroupedMatch } from "../../../search/backtrack/backtracker.ts";
import { expandReplacement } from "./replacement.ts";
import type { Substitution } from "./sed-program.ts";

/** The text with its matches replaced, or undefined where there are none. */
export function substitute(
  { replacement, isGlobal, number }: Substitution,
  text: string,
  find: (from: number) => GroupedMatch | undefined,
): string | undefined {
  let out = "";
  let copied = 0;
  let count = 0;
  let lastEnd = -1;
  let isReplaced = false;
  for (let at = 0; at <= text.length;) {
    const match = find(at);
    if (!match) break;
    const isEmpty = match.start === match.end;
    // None that is empty just behind another one.
    if ((!isEmpty || match.start !== lastEnd) && ++count >= number) {
      out += text.slice(copied, match.start) + expandReplacement(replacement, text, match);
      copied = match.end;
      isReplaced = true;
      if (!isGlobal) break;
    }
    lastEnd = match.end;
    at = isEmpty ? match.end + charLength(text, match.end) : match.end;
  }
  return isReplaced ? out + text.slice(copied) : undefined;
}

function charLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
