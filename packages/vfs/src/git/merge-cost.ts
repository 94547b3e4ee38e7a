/**
 * The library keeps an object of some 100 bytes for each step of Wu, Manber and Myers's comparison ("An O(NP) Sequence
 * Comparison Algorithm"), whose number grows with the square of the lines that were replaced: this many are 40 MB.
 */
const MAX_STEPS = 400_000;

/** True when the library can compare these lines in bounded memory. Takes the same steps, and keeps none. */
export function isCheapToCompare(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  const delta = many.length - few.length;
  const offset = few.length + 1;
  const reached = new Int32Array(few.length + many.length + 3).fill(-1);
  const advance = (diagonal: number): number => {
    const at = diagonal + offset;
    let y = Math.max((reached[at - 1] ?? -1) + 1, reached[at + 1] ?? -1);
    while (y - diagonal < few.length && y < many.length && few[y - diagonal] === many[y]) y++;
    return (reached[at] = y);
  };
  let steps = 0;
  for (let removed = 0; ; removed++) {
    steps += delta + 2 * removed + 1;
    if (steps > MAX_STEPS) return false;
    for (let diagonal = -removed; diagonal < delta; diagonal++) advance(diagonal);
    for (let diagonal = delta + removed; diagonal > delta; diagonal--) advance(diagonal);
    if (advance(delta) === many.length) return true;
  }
}
