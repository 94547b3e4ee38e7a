/** How many letters may differ for a name to be suggested. */
const MAX_DISTANCE = 3;

/** The known name that is most like a mistyped one; undefined when none is like it. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((name) => ({ name, distance: name.startsWith(word) ? 1 : distance(word, name) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  const limit = Math.min(MAX_DISTANCE, Math.max(1, Math.floor(word.length / 2)));
  return best && best.distance <= limit ? best.name : undefined;
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      const edits = [(above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + cost];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) edits.push((before[column - 2] ?? 0) + 1);
      current.push(Math.min(...edits));
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
