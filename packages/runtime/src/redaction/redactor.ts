import { CONTEXT, OPEN_SECRETS, SECRETS } from "./shape-patterns.ts";

/** What stands in place of a secret. */
export const REDACTED = "[redacted secret]";

/** One way to find secrets in a text. */
interface Finder {
  readonly pattern: RegExp;
  /** Where at the end of a text something begins that may become a secret; the text's length when nothing does. */
  open(text: string, from: number): number;
}

/** Passes on a text that comes in pieces, without the secrets in it. */
export interface RedactedStream {
  /** What can be told by now; what may be the beginning of a secret comes later. */
  push(text: string): string;
  /** The rest, when nothing more comes. */
  end(): string;
}

export interface Redactor {
  /** The text with {@link REDACTED} in place of every secret. */
  text(text: string): string;
  /** The same for an answer of a tool, in which long lines were cut: also without what may be the beginning of a secret. */
  cutText(text: string): string;
  /** The pieces that come out are, joined, what `text` says of those that went in. */
  stream(): RedactedStream;
}

/** What stands for a match: the part of it that says what it is stays. */
function replacement(groups: readonly (string | undefined)[]): string {
  return `${groups.find((group) => group !== undefined) ?? ""}${REDACTED}`;
}

function replaceIn(text: string, pattern: RegExp): string {
  return text.replace(pattern, (_match, ...rest: unknown[]) => {
    // Behind the groups comes the offset.
    const groups = rest.slice(
      0,
      rest.findIndex((each) => typeof each === "number"),
    );
    return replacement(groups as (string | undefined)[]);
  });
}

const SHAPES: Finder = {
  pattern: SECRETS,
  open(text, from) {
    OPEN_SECRETS.lastIndex = from;
    return OPEN_SECRETS.exec(text)?.index ?? text.length;
  },
};

function finderOf(values: readonly string[]): Finder | undefined {
  if (values.length === 0) return undefined;
  const longestFirst = values.toSorted((a, b) => b.length - a.length);
  const escaped = longestFirst.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const longest = longestFirst[0]?.length ?? 0;
  return {
    pattern: new RegExp(escaped.join("|"), "g"),
    open(text, from) {
      for (let at = Math.max(from, text.length - longest + 1); at < text.length; at += 1) {
        const tail = text.slice(at);
        if (values.some((value) => value.length > tail.length && value.startsWith(tail))) return at;
      }
      return text.length;
    },
  };
}

/** What the tools put where they cut a line. */
const CUT = /… \[\d+ more characters\]/g;

/** How much before a cut may belong to a secret that goes on behind it. */
const CUT_CHARS = 4000;

/** Fewer characters of a secret than this tell nothing. */
const MIN_BEGINNING = 8;

function redactCuts(text: string, finders: readonly Finder[]): string {
  let out = "";
  let at = 0;
  for (const { index } of text.matchAll(CUT)) {
    const before = text.slice(Math.max(at, index - CUT_CHARS), index);
    const open = index - before.length + Math.min(...finders.map((finder) => finder.open(before, 0)));
    out += index - open < MIN_BEGINNING ? text.slice(at, index) : text.slice(at, open) + REDACTED;
    at = index;
  }
  return out + text.slice(at);
}

/** Held text above this is looked at again only when it has grown by a quarter: each look goes through all of it. */
const LOOK_AGAIN = 2000;

class FinderStream implements RedactedStream {
  readonly #finder: Finder;
  /** The end of what was passed on, as it was, and what is held. */
  #text = "";
  #from = 0;
  #nextLook = 0;

  constructor(finder: Finder) {
    this.#finder = finder;
  }

  push(text: string): string {
    this.#text += text;
    if (this.#text.length < this.#nextLook) return "";
    const out = this.#passOn(this.#settled());
    this.#nextLook = this.#text.length > LOOK_AGAIN ? this.#text.length * 1.25 : 0;
    return out;
  }

  end(): string {
    return this.#passOn(this.#text.length);
  }

  /** Up to where nothing that may follow changes anything. */
  #settled(): number {
    const { pattern } = this.#finder;
    for (let from = this.#from; ;) {
      const open = this.#finder.open(this.#text, from);
      pattern.lastIndex = from;
      const found = pattern.exec(this.#text);
      if (!found || open <= found.index) return open;
      from = pattern.lastIndex;
    }
  }

  #passOn(end: number): string {
    const { pattern } = this.#finder;
    let out = "";
    let at = this.#from;
    for (;;) {
      pattern.lastIndex = at;
      const found = pattern.exec(this.#text);
      if (!found || found.index >= end) break;
      out += this.#text.slice(at, found.index) + replacement(found.slice(1));
      at = pattern.lastIndex;
    }
    out += this.#text.slice(at, Math.max(at, end));
    const kept = Math.max(0, Math.max(at, end) - CONTEXT);
    this.#text = this.#text.slice(kept);
    this.#from = Math.max(at, end) - kept;
    return out;
  }
}

/** Finds what looks like a secret, and these values, in whatever they stand. */
export function createRedactor(values: readonly string[]): Redactor {
  const finders = [finderOf(values), SHAPES].filter((finder) => finder !== undefined);
  const redact = (text: string): string => finders.reduce((left, { pattern }) => replaceIn(left, pattern), text);
  return {
    text: redact,
    cutText: (text) => redactCuts(redact(text), finders),
    stream() {
      const streams = finders.map((finder) => new FinderStream(finder));
      return {
        push: (text) => streams.reduce((piece, stream) => stream.push(piece), text),
        end: () => streams.reduce((piece, stream) => stream.push(piece) + stream.end(), ""),
      };
    },
  };
}
