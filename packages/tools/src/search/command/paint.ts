/** The colours of an answer. */
export interface Paint {
  name(text: string): string;
  number(text: string): string;
  offset(text: string): string;
  mark(text: string): string;
  match(text: string): string;
  /** Matches without anything between them are painted as one. */
  readonly joins: boolean;
}

const plain = (text: string): string => text;

export const NO_PAINT: Paint = { name: plain, number: plain, offset: plain, mark: plain, match: plain, joins: false };

/** As ripgrep has them. */
export const RIPGREP_PAINT: Paint = {
  name: (text) => `\x1b[0m\x1b[35m${text}\x1b[0m`,
  number: (text) => `\x1b[0m\x1b[32m${text}\x1b[0m`,
  offset: plain,
  mark: plain,
  match: (text) => `\x1b[0m\x1b[1m\x1b[31m${text}\x1b[0m`,
  joins: true,
};

/** As GNU grep has them. */
export const GREP_PAINT: Paint = {
  name: (text) => `\x1b[35m\x1b[K${text}\x1b[m\x1b[K`,
  number: (text) => `\x1b[32m\x1b[K${text}\x1b[m\x1b[K`,
  offset: (text) => `\x1b[32m\x1b[K${text}\x1b[m\x1b[K`,
  mark: (text) => `\x1b[36m\x1b[K${text}\x1b[m\x1b[K`,
  match: (text) => `\x1b[01;31m\x1b[K${text}\x1b[m\x1b[K`,
  joins: false,
};

export function paintSpans(paint: Paint, text: string, spans: readonly (readonly [number, number])[]): string {
  if (paint === NO_PAINT) return text;
  let painted = "";
  let at = 0;
  for (let index = 0; index < spans.length; index++) {
    const [from = 0, end = 0] = spans[index] ?? [];
    let to = end;
    while (paint.joins && spans[index + 1]?.[0] === to) to = spans[++index]?.[1] ?? to;
    if (to <= from) continue;
    painted += text.slice(at, from) + paint.match(text.slice(from, to));
    at = to;
  }
  return painted + text.slice(at);
}
