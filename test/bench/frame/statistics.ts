/** What is told of a series of measurements, in their unit. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly runs: number;
}

/** The middle value, or the mean of the two in the middle. Throws for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return (low + high) / 2;
}

/** Rounded as it is printed, so that every figure derived from it can be computed again from the output. */
export function summarize(values: readonly number[]): Summary {
  const round = (value: number): number => roundTo(value, 4);
  return {
    median: round(median(values)),
    min: round(Math.min(...values)),
    max: round(Math.max(...values)),
    runs: values.length,
  };
}

/** To a number of significant digits. */
export function roundTo(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}
