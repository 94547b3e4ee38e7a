import type { Edge, Expression } from "./expression.ts";
import { WORD } from "./parse-class.ts";
import { widthOf } from "./width.ts";

/** A match under way. */
interface MatchState {
  readonly text: string;
  readonly names: ReadonlyMap<string, number>;
  /** Start and end of each group, from its index times two on; -1 where it has not matched. */
  captures: number[];
  /** Where a `\K` moved the start; -1 without one. */
  keep: number;
  /** Called for each step; throws when there were too many. */
  readonly step: () => void;
}

/** Whether it matches at a place and `next` goes on from its end. */
export type Matcher = (state: MatchState, at: number, next: (end: number) => boolean) => boolean;

export function compileExpression(expression: Expression): Matcher {
  switch (expression.kind) {
    case "char":
      return charMatcher(expression.test);
    case "sequence":
      return sequence(expression.parts.map(compileExpression));
    case "either":
      return either(expression.options.map(compileExpression));
    case "repeat":
      return repeat(expression);
    case "group":
      return group(expression.index, compileExpression(expression.part));
    case "back":
      return back(expression);
    case "look":
      return look(expression);
    case "atomic":
      return atomic(compileExpression(expression.part));
    case "edge":
      return edgeMatcher(expression.edge);
    case "keep":
      return keep;
  }
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function charMatcher(test: (char: string) => boolean): Matcher {
  return ({ text, step }, at, next) => {
    step();
    const char = charAt(text, at);
    return char !== "" && test(char) && next(at + char.length);
  };
}

function sequence(parts: readonly Matcher[]): Matcher {
  const [first, ...rest] = parts;
  if (!first) return (_state, at, next) => next(at);
  if (rest.length === 0) return first;
  const others = sequence(rest);
  return (state, at, next) => first(state, at, (end) => others(state, end, next));
}

function either(options: readonly Matcher[]): Matcher {
  return (state, at, next) => {
    state.step();
    return options.some((option) => option(state, at, next));
  };
}

function repeat({ part, min, max, mode }: Extract<Expression, { kind: "repeat" }>): Matcher {
  if (mode === "possessive") return atomic(repeat({ kind: "repeat", part, min, max, mode: "greedy" }));
  if (part.kind === "char") return repeatChar(part.test, min, max, mode === "lazy");
  const one = compileExpression(part);
  const isLazy = mode === "lazy";
  return (state, start, next) => {
    const from = (count: number, at: number): boolean => {
      state.step();
      const again = (): boolean =>
        count < max && one(state, at, (end) => (end > at || count < min) && from(count + 1, end));
      if (count < min) return again();
      return isLazy ? next(at) || again() : again() || next(at);
    };
    return from(0, start);
  };
}

/** Without a level of calls for each character, so that a long line does not fill the stack. */
function repeatChar(test: (char: string) => boolean, min: number, max: number, isLazy: boolean): Matcher {
  return (state, start, next) => {
    const { text, step } = state;
    let at = start;
    let count = 0;
    const advance = (): boolean => {
      step();
      const char = charAt(text, at);
      if (char === "" || !test(char)) return false;
      at += char.length;
      count++;
      return true;
    };
    while (count < min) if (!advance()) return false;
    if (isLazy) {
      do if (next(at)) return true;
      while (count < max && advance());
      return false;
    }
    const least = at;
    while (count < max && advance());
    for (; at >= least; at -= sizeBefore(text, at)) {
      if (next(at)) return true;
      if (at === least) return false;
    }
    return false;
  };
}

function sizeBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const high = text.charCodeAt(at - 2);
  return low >= 0xdc00 && low < 0xe000 && high >= 0xd800 && high < 0xdc00 ? 2 : 1;
}

function group(index: number, part: Matcher): Matcher {
  return (state, at, next) =>
    part(state, at, (end) => {
      const before = [state.captures[2 * index] ?? -1, state.captures[2 * index + 1] ?? -1] as const;
      state.captures[2 * index] = at;
      state.captures[2 * index + 1] = end;
      if (next(end)) return true;
      [state.captures[2 * index], state.captures[2 * index + 1]] = before;
      return false;
    });
}

function back({ group: which, fold }: Extract<Expression, { kind: "back" }>): Matcher {
  return (state, at, next) => {
    state.step();
    const index = typeof which === "number" ? which : (state.names.get(which) ?? -1);
    const [start = -1, end = -1] = [state.captures[2 * index], state.captures[2 * index + 1]];
    if (start < 0) return false;
    const said = state.text.slice(start, end);
    const here = state.text.slice(at, at + said.length);
    const isSame = here === said || (fold && here.toLowerCase() === said.toLowerCase());
    return isSame && next(at + said.length);
  };
}

function look({ ahead, negative, part }: Extract<Expression, { kind: "look" }>): Matcher {
  const inner = compileExpression(part);
  const { min, max } = widthOf(part);
  const holds = (state: MatchState, at: number): boolean => {
    if (ahead) return inner(state, at, () => true);
    // A character is one or two units of a string.
    for (let from = at - min; from >= Math.max(0, at - 2 * max); from--) {
      state.step();
      if (inner(state, from, (end) => end === at)) return true;
    }
    return false;
  };
  return (state, at, next) => {
    const before = [...state.captures];
    if (holds(state, at) !== negative && next(at)) return true;
    state.captures = before;
    return false;
  };
}

function atomic(part: Matcher): Matcher {
  return (state, at, next) => {
    const before = [...state.captures];
    let end = -1;
    const found = part(state, at, (its) => {
      end = its;
      return true;
    });
    if (found && next(end)) return true;
    state.captures = before;
    return false;
  };
}

const keep: Matcher = (state, at, next) => {
  const before = state.keep;
  state.keep = at;
  if (next(at)) return true;
  state.keep = before;
  return false;
};

const WORD_CHAR = new RegExp(`[${WORD}]`, "v");

function edgeMatcher(edge: Edge): Matcher {
  return (state, at, next) => {
    state.step();
    return isAtEdge(edge, state.text, at) && next(at);
  };
}

function isAtEdge(edge: Edge, text: string, at: number): boolean {
  const isEnd = at === text.length;
  switch (edge) {
    case "line-start":
      return at === 0 || text[at - 1] === "\n";
    case "line-end":
      return isEnd || text[at] === "\n";
    case "text-start":
      return at === 0;
    case "text-end":
      return isEnd;
    case "text-end-feed":
      return isEnd || (at === text.length - 1 && text[at] === "\n");
    default: {
      const before = at > 0 && WORD_CHAR.test(text.slice(at - sizeBefore(text, at), at));
      const after = !isEnd && WORD_CHAR.test(charAt(text, at));
      return isAtWordEdge(edge, before, after);
    }
  }
}

function isAtWordEdge(edge: Edge, before: boolean, after: boolean): boolean {
  switch (edge) {
    case "word":
      return before !== after;
    case "no-word":
      return before === after;
    case "word-start":
      return !before && after;
    case "word-end":
      return before && !after;
    case "word-start-half":
      return !before;
    default:
      return !after;
  }
}
