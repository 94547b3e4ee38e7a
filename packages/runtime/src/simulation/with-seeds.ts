/** The seeds from 1 on, or the one that `TENREC_SEED` names, to play a failure again. */
export function seedsToPlay(count: number): number[] {
  const wanted = process.env["TENREC_SEED"];
  return wanted ? [Number(wanted)] : Array.from({ length: count }, (_, i) => i + 1);
}
