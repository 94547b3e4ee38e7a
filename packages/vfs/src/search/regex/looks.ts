import type { Look } from "./syntax.ts";

/** What an assertion wants to know of the character on one side of a place. */
export const WORD = 1;
export const ASCII_WORD = 2;
export const LINE_FEED_SIDE = 4;
export const RETURN_SIDE = 8;
/** Nothing is there: the text begins or ends. */
export const EDGE = 16;
/** No character, but a byte that is no UTF-8. */
export const BROKEN = 32;

const KINDS: readonly Look[] = [
  "line-start",
  "line-end",
  "crlf-line-start",
  "crlf-line-end",
  "text-start",
  "text-end",
  "word-edge",
  "no-word-edge",
  "word-start",
  "word-end",
  "word-start-half",
  "word-end-half",
];

const ASCII_FLAG = 16;

/** Assertions as numbers below 32. */
export const LookKinds = {
  numberOf: (look: Look, ascii: boolean): number => KINDS.indexOf(look) + (ascii ? ASCII_FLAG : 0),
};

/** Whether an assertion holds between two characters, of which these bits are known. */
export function holds(kind: number, before: number, after: number): boolean {
  const word = kind >= ASCII_FLAG ? ASCII_WORD : WORD;
  // As in Rust: what is no character is not certainly outside of a word either.
  const broken = kind >= ASCII_FLAG ? 0 : BROKEN;
  switch (kind % ASCII_FLAG) {
    case 0:
      return (before & (LINE_FEED_SIDE | EDGE)) !== 0;
    case 1:
      return (after & (LINE_FEED_SIDE | EDGE)) !== 0;
    case 2:
      return (
        (before & (LINE_FEED_SIDE | EDGE)) !== 0 || ((before & RETURN_SIDE) !== 0 && (after & LINE_FEED_SIDE) === 0)
      );
    case 3:
      return (after & (RETURN_SIDE | EDGE)) !== 0 || ((after & LINE_FEED_SIDE) !== 0 && (before & RETURN_SIDE) === 0);
    case 4:
      return (before & EDGE) !== 0;
    case 5:
      return (after & EDGE) !== 0;
    case 6:
      return (before & word) !== (after & word);
    case 7:
      return (before & word) === (after & word) && ((before | after) & broken) === 0;
    case 8:
      return (before & word) === 0 && (after & word) !== 0;
    case 9:
      return (before & word) !== 0 && (after & word) === 0;
    case 10:
      return (before & (word | broken)) === 0;
    default:
      return (after & (word | broken)) === 0;
  }
}
