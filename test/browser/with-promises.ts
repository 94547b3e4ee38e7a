import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES } from "./with-features.ts";
import { type Mode, MODES } from "./with-session.ts";

/** The rows of the README's table: whether each feature is there below a path, at an own host and at a shared one. */
export const PROMISED: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...readFileSync(join(import.meta.dirname, "../../packages/preview/README.md"), "utf8").matchAll(
      /^\| (.+?) \| (yes|no) \| (yes|no) \| (yes|no) \|$/gm,
    ),
  ].map(([, feature = "", ...cells]) => [feature, cells]),
);

/** What it promises of the features that a page tries. */
export function promised(mode: Mode): Readonly<Record<string, string | undefined>> {
  const index = MODES.indexOf(mode);
  return Object.fromEntries(Object.keys(FEATURES).map((feature) => [feature, PROMISED.get(feature)?.[index]]));
}
