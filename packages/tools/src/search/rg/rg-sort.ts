import type { Finding } from "../command/find-in-operands.ts";
import type { Options } from "../command/read-options.ts";
import type { SearchShell } from "../command/search-shell.ts";

export interface RgSort {
  /** A file of a tree has one time only. */
  readonly by: "path" | "modified";
  readonly descends: boolean;
}

/** The order that was asked for; `undefined` for that in which files are found, which is by path. */
export function sortOf(options: Options): RgSort | undefined {
  const given = options.last("sort", "sortr", "sort-files");
  if (!given || given.value === "none" || given.name === "sort-files") return undefined;
  const descends = given.name === "sortr";
  if (given.value === "path") return descends ? { by: "path", descends } : undefined;
  return { by: "modified", descends };
}

/** All findings, file by file in this order; what is no file comes first. */
export async function* sortFindings(
  shell: SearchShell,
  findings: AsyncIterable<Finding>,
  { by, descends }: RgSort,
): AsyncGenerator<Finding> {
  const files: { readonly findings: Finding[]; readonly mtime: number }[] = [];
  for await (const finding of findings) {
    if (finding.type !== "file") yield finding;
    else if (finding.event.continued) files.at(-1)?.findings.push(finding);
    else {
      const stat = by === "modified" ? await shell.fs.stat(finding.path).catch(() => undefined) : undefined;
      files.push({ findings: [finding], mtime: stat?.mtime.getTime() ?? 0 });
    }
  }
  if (by === "modified") files.sort((a, b) => a.mtime - b.mtime);
  if (descends) files.reverse();
  for (const file of files) yield* file.findings;
}
