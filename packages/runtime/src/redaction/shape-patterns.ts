import { type Part, SECRET_SHAPES, type SecretShape, URL_PASSWORD } from "./secret-shapes.ts";

/** Where a word begins, also behind an escape in JSON that has not been read yet. */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrt])|(?<=\\u[0-9a-fA-F]{4}))`;

/** How many characters before a match decide whether it is one. */
export const CONTEXT = 6;

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function isTexts(part: Part): part is readonly string[] {
  return Array.isArray(part);
}

function run({ chars, min, max }: { chars: string; min: number; max?: number }): string {
  return `[${chars}]{${min},${max ?? ""}}`;
}

function whole(part: Part): string {
  if (isTexts(part)) return `(?:${part.map(escape).join("|")})`;
  return "pattern" in part ? part.pattern : run(part);
}

/** Matches the beginnings of a text, the shortest of one character. */
function beginnings(text: string): string {
  const [first = "", ...rest] = text;
  return rest.length > 1 ? `${escape(first)}(?:${beginnings(rest.join(""))})?` : escape(first);
}

/** Matches what may still become the parts, up to the end of the text. */
function open([part, ...rest]: readonly Part[], isFirst: boolean): string {
  if (part === undefined) return "$";
  const next = open(rest, false);
  if (isTexts(part)) {
    const parts = part.filter((text) => text.length > 1).map(beginnings);
    const begun = [...parts, ...(isFirst ? [] : [""])].map((text) => `${text}$`);
    return `(?:${[`${whole(part)}${next}`, ...begun].join("|")})`;
  }
  if ("pattern" in part) return part.open;
  return `(?:${run(part)}${next}|${run({ ...part, min: 0, max: part.min })}$)`;
}

function guards({ notAfter, unless }: SecretShape): string {
  return (notAfter === undefined ? "" : `(?<![${notAfter}])`) + (unless === undefined ? "" : `(?!${unless})`);
}

function matching({ parts, keep = 0 }: SecretShape): string {
  const texts = parts.map(whole);
  return keep === 0 ? texts.join("") : `(${texts.slice(0, keep).join("")})${texts.slice(keep).join("")}`;
}

function both(pattern: (shape: SecretShape) => string): RegExp {
  const guarded = (shape: SecretShape): string => `${guards(shape)}${pattern(shape)}`;
  return new RegExp(`${START}(?:${SECRET_SHAPES.map(guarded).join("|")})|${guarded(URL_PASSWORD)}`, "g");
}

/** Every secret that can be told by its looks; the part that is to be kept is the one group that took part. */
export const SECRETS: RegExp = both(matching);

/** What may still become one when the text goes on, from where it begins to the end. */
export const OPEN_SECRETS: RegExp = both(({ parts }) => open(parts, true));
