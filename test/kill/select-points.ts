import { type KillPoint, killPoints } from "./kill-points.ts";
import { type CommitLoop, commitLoops, type Point, points } from "./points.ts";
import { type PreviewPoint, previewPoints } from "./preview-points.ts";
import { type TurnPoint, turnPoints } from "./turn-points.ts";

/** What one run of the suite does. */
export interface Selection {
  readonly kills: readonly KillPoint[];
  /** Of the tree, at which workerd is killed, of turns and of previews. */
  readonly points: readonly Point[];
  readonly loops: readonly CommitLoop[];
  readonly turns: readonly TurnPoint[];
  readonly previews: readonly PreviewPoint[];
  /** Test files that show one of the points, or a folder of them. */
  readonly files: readonly string[];
  /** Whether seeds of the simulation are played. */
  readonly isSimulated: boolean;
}

/** What else a store survives: races, a faulty bucket, boundaries by chance. */
const TREE_TESTS = "packages/vfs/src/crash";

/**
 * What the filters choose; everything when there are none. `K5` is that point with all that shows it. Other words are looked
 * for in the names of the points at which workerd is killed. Throws, with a sentence for people, when one finds nothing.
 */
export function selectPoints(filters: readonly string[]): Selection {
  const kills = new Set<KillPoint>();
  const names = new Set<string>();
  const all = [...points, ...commitLoops, ...turnPoints, ...previewPoints].map(({ name }) => name);
  for (const filter of filters) {
    const kill = killPoints.find(({ id }) => id === filter.toUpperCase());
    const found = kill ? sigkills(kill) : all.filter((name) => filter !== "" && name.includes(filter));
    if (!kill && found.length === 0) throw new Error(nothingFound(filter));
    if (kill) kills.add(kill);
    for (const name of found) names.add(name);
  }
  const isAll = filters.length === 0;
  const chosen = isAll ? killPoints : [...kills];
  const isChosen = ({ name }: { readonly name: string }): boolean => isAll || names.has(name);
  return {
    kills: chosen,
    points: points.filter(isChosen),
    loops: commitLoops.filter(isChosen),
    turns: turnPoints.filter(isChosen),
    previews: previewPoints.filter(isChosen),
    files: [...new Set([...(isAll ? [TREE_TESTS] : []), ...chosen.flatMap(filesOf)])],
    isSimulated: chosen.some(({ shown }) => shown.some(({ by }) => by === "simulation")),
  };
}

function filesOf({ shown }: KillPoint): string[] {
  return shown.flatMap((each) => ("file" in each ? [each.file] : []));
}

function sigkills({ shown }: KillPoint): string[] {
  return shown.flatMap((each) => (each.by === "SIGKILL" ? [each.point] : []));
}

function nothingFound(filter: string): string {
  const ids = `${killPoints.at(0)?.id} to ${killPoints.at(-1)?.id}`;
  return `No point has "${filter}" in its name. Say one of ${ids}, or words of a name in test/kill, such as "is being told".`;
}
