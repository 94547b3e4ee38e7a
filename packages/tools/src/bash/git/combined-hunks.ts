import { diffArrays } from "diff";

/** Texts that differ in more lines are shown as replaced. */
const MAX_EDITS = 2000;
/** Pairs of removed lines of two sides that are looked at, to show those that both had once. */
const MAX_PAIRS = 250_000;
const CONTEXT = 3;

interface Removed {
  readonly text: string;
  /** A bit for each side that had the line. */
  sides: number;
}

/** A line of the result; one more stands for its end. */
interface Row {
  readonly text: string | undefined;
  /** A bit for each side that does not have the line. */
  added: number;
  /** Lines of the sides that are gone before this one. */
  removed: Removed[];
  /** The number of the line that each side has here, or would have next. */
  readonly numbers: number[];
}

/**
 * The hunks of a text that comes from several others, as `git diff --cc` has them: a column for each side, and none where
 * the text is what one of two sides has.
 */
export function combinedHunks(sides: readonly (readonly string[])[], result: readonly string[]): string {
  const rows = rowsOf(sides, result);
  const all = (1 << sides.length) - 1;
  const wanted = groupsOf(rows).filter((group) => isOfSeveral(rows.slice(group.from, group.to), all));
  let end = 0;
  return blocksOf(wanted, rows)
    .map((block) => {
      const skipped = rows.slice(end, block.from);
      end = block.to;
      return blockText(rows, block, sides.length, headingOf(skipped));
    })
    .join("");
}

function rowsOf(sides: readonly (readonly string[])[], result: readonly string[]): Row[] {
  const rows = [...result, undefined].map((text): Row => ({ text, added: 0, removed: [], numbers: [] }));
  for (const [at, side] of sides.entries()) {
    const lost = rows.map((): string[] => []);
    let [row, number] = [0, 1];
    for (const part of changesOf([...side], [...result])) {
      if (part.removed) {
        lost[row]?.push(...part.value);
        continue;
      }
      for (let count = part.value.length; count > 0; count--) {
        const line = rows[row++];
        if (part.added && line) line.added |= 1 << at;
      }
    }
    for (const [index, line] of rows.entries()) {
      line.numbers.push(number);
      number += (lost[index]?.length ?? 0) + (line.added & (1 << at) ? 0 : 1);
      line.removed = joined(line.removed, lost[index] ?? [], 1 << at);
    }
  }
  return rows;
}

interface Part {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(before: string[], after: string[]): readonly Part[] {
  return (
    diffArrays(before, after, { maxEditLength: MAX_EDITS }) ?? [
      { value: before, added: false, removed: true },
      { value: after, added: true, removed: false },
    ]
  );
}

/** Lines that one more side had, put to those of the others; the longest run that they share is shown once. */
function joined(known: Removed[], lines: readonly string[], side: number): Removed[] {
  const added = lines.map((text): Removed => ({ text, sides: side }));
  if (known.length * lines.length > MAX_PAIRS || known.length === 0) return [...known, ...added];
  const lengthAt = sharedLengths(known, lines);
  const out: Removed[] = [];
  let [old, now] = [known.length, lines.length];
  while (old > 0 || now > 0) {
    const [mine, theirs] = [known[old - 1], added[now - 1]];
    if (mine && theirs && mine.text === theirs.text) {
      out.push({ text: mine.text, sides: mine.sides | side });
      old--;
      now--;
    } else if (theirs && (!mine || lengthAt(old, now - 1) >= lengthAt(old - 1, now))) {
      out.push(theirs);
      now--;
    } else if (mine) {
      out.push(mine);
      old--;
    }
  }
  return out.reverse();
}

/** How many lines the beginnings of two lists share, in order, by how long the beginnings are. */
function sharedLengths(known: readonly Removed[], lines: readonly string[]): (old: number, now: number) => number {
  const width = lines.length + 1;
  const lengths = new Uint32Array((known.length + 1) * width);
  const lengthAt = (old: number, now: number): number => lengths[old * width + now] ?? 0;
  for (let old = 1; old <= known.length; old++)
    for (let now = 1; now < width; now++)
      lengths[old * width + now] =
        known[old - 1]?.text === lines[now - 1]
          ? lengthAt(old - 1, now - 1) + 1
          : Math.max(lengthAt(old - 1, now), lengthAt(old, now - 1));
  return lengthAt;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const isChanged = ({ added, removed }: Row): boolean => added > 0 || removed.length > 0;

/** Where a run of changes ends for the lines below it: a line that itself is no change is one of them. */
function tailOf(rows: readonly Row[], to: number): number {
  return rows[to - 1]?.added === 0 ? to - 1 : to;
}

/** Runs of changed lines, with the few between them that are not. */
function groupsOf(rows: readonly Row[]): Range[] {
  const groups: Range[] = [];
  for (const [at, row] of rows.entries()) {
    if (!isChanged(row)) continue;
    const last = groups.at(-1);
    if (last && at < tailOf(rows, last.to) + CONTEXT) groups[groups.length - 1] = { from: last.from, to: at + 1 };
    else groups.push({ from: at, to: at + 1 });
  }
  return groups;
}

/** Whether changes are not all of the same sides: what only those have that the others have not is no news. */
function isOfSeveral(rows: readonly Row[], all: number): boolean {
  const seen = new Set(rows.flatMap(({ added, removed }) => [added, ...removed.map(({ sides }) => sides)]));
  seen.delete(0);
  return seen.size > 1 || seen.has(all);
}

interface Block extends Range {
  /** The first changed line; those above it are shown without what is gone before them. */
  readonly firstChange: number;
}

function blocksOf(groups: readonly Range[], rows: readonly Row[]): Block[] {
  const blocks: Block[] = [];
  for (const { from, to } of groups) {
    const start = Math.max(0, from - CONTEXT);
    const end = Math.min(tailOf(rows, to) + CONTEXT, rows.length);
    const last = blocks.at(-1);
    if (last && start <= last.to) blocks[blocks.length - 1] = { ...last, to: end };
    else blocks.push({ from: start, to: end, firstChange: from });
  }
  return blocks;
}

/** What of the lines above a hunk stands behind its `@@@`: git cuts it here in another way than elsewhere. */
function headingOf(skipped: readonly Row[]): string {
  const line = skipped.findLast(({ text }) => /^[A-Za-z_$]/.test(text ?? ""))?.text ?? "";
  const heading = line.slice(0, 40).trimEnd().slice(0, -1);
  return heading && ` ${heading}`;
}

function blockText(rows: readonly Row[], { from, to, firstChange }: Block, count: number, heading: string): string {
  const shown = rows.slice(from, to);
  const isToEnd = to === rows.length;
  const at = "@".repeat(count + 1);
  const ranges = Array.from({ length: count }, (_, side) => {
    const start = rows[from]?.numbers[side] ?? 1;
    const end = isToEnd ? (rows.at(-1)?.numbers[side] ?? 1) + goneAtEnd(rows, side) : (rows[to]?.numbers[side] ?? 1);
    return `-${start},${end - start} `;
  });
  const columns = (bits: number, sign: string): string =>
    Array.from({ length: count }, (_, side) => (bits & (1 << side) ? sign : " ")).join("");
  const lines = shown.map(({ text, added, removed }, index) => {
    const gone = from + index < firstChange ? [] : removed;
    const before = gone.map((each) => `${columns(each.sides, "-")}${each.text}\n`).join("");
    return before + (text === undefined ? "" : `${columns(added, "+")}${text}\n`);
  });
  return `${at} ${ranges.join("")}+${from + 1},${to - from - (isToEnd ? 1 : 0)} ${at}${heading}\n${lines.join("")}`;
}

function goneAtEnd(rows: readonly Row[], side: number): number {
  return (rows.at(-1)?.removed ?? []).filter(({ sides }) => sides & (1 << side)).length;
}
