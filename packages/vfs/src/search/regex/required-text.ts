import { onlyChar } from "./char-set.ts";
import type { Syntax } from "./syntax.ts";

/** Most alternatives that are worth a pass over the text each. */
const MAX_TEXTS = 3;

/** What is certain of every match: it is one of `exact`, or it contains one of `within`. */
interface Certain {
  readonly exact?: readonly string[];
  readonly within?: readonly string[];
}

/** Texts of which every match contains at least one. `exact` when these are all that matches. */
export interface RequiredTexts {
  readonly texts: readonly string[];
  readonly exact: boolean;
}

/** `undefined` when there are none, or too many to look for. */
export function requiredTexts(syntax: Syntax): RequiredTexts | undefined {
  const { exact, within } = certain(syntax);
  const texts = exact ?? within;
  if (texts === undefined || texts.some((text) => text === "")) return undefined;
  return { texts, exact: exact !== undefined };
}

function certain(syntax: Syntax): Certain {
  switch (syntax.kind) {
    case "empty":
      return { exact: [""] };
    case "set": {
      const char = onlyChar(syntax.set);
      return char === undefined ? {} : { exact: [String.fromCodePoint(char)] };
    }
    case "look":
      return {};
    case "either":
      return certainEither(syntax.parts.map(certain));
    case "repeat": {
      if (syntax.min === 0) return {};
      const { exact, within } = certain(syntax.part);
      const inner = exact ?? within;
      return inner ? { within: inner } : {};
    }
    case "concat":
      return certainConcat(syntax.parts.map(certain));
  }
}

function certainEither(parts: readonly Certain[]): Certain {
  const texts = parts.flatMap(({ exact, within }) => exact ?? within ?? [""]);
  if (new Set(texts).size > MAX_TEXTS) return {};
  if (parts.every(({ exact }) => exact)) return { exact: [...new Set(texts)] };
  return texts.includes("") ? {} : { within: [...new Set(texts)] };
}

function certainConcat(parts: readonly Certain[]): Certain {
  let run: readonly string[] = [""];
  let best: readonly string[] | undefined;
  let all = true;
  const offer = (texts: readonly string[] | undefined): void => {
    if (texts && !texts.includes("") && worth(texts) > worth(best)) best = texts;
  };
  for (const { exact, within } of parts) {
    const longer = exact && run.flatMap((head) => exact.map((tail) => head + tail));
    if (longer && longer.length <= MAX_TEXTS) {
      run = longer;
      continue;
    }
    all = false;
    offer(run);
    offer(within);
    run = exact ?? [""];
  }
  if (all) return { exact: run };
  offer(run);
  return best ? { within: best } : {};
}

/** Long texts are rare ones; several cost a search each. */
function worth(texts: readonly string[] | undefined): number {
  return texts ? Math.min(...texts.map((text) => text.length)) / texts.length : 0;
}
