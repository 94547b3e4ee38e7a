import type { Dependencies, DependencyBundler, DependencyRequest } from "../deps/dependencies.ts";
import type { Problem } from "../problem.ts";
import { importedNames } from "./imported-names.ts";
import type { Graph } from "./module-graph.ts";
import { type PackageFile, versionsIn } from "./read-package.ts";

/** The packages that the modules of a graph import; where there is no bundler, each is a problem. Throws `signal.reason`. */
export async function bundlePackages(
  graph: Graph,
  manifest: PackageFile,
  bundler: DependencyBundler | undefined,
  how: Pick<DependencyRequest, "target" | "conditions" | "signal">,
): Promise<Dependencies> {
  const { packages, modules } = graph;
  if (packages.length === 0) return NOTHING;
  if (!bundler) return { ...NOTHING, problems: packages.map((specifier) => missing(specifier, graph)) };
  return bundler.bundle({ specifiers: packages, names: importedNames(modules), ...versionsIn(manifest), ...how });
}

const NOTHING: Dependencies = { modules: new Map(), imports: new Map(), problems: [] };

function missing(specifier: string, { modules }: Graph): Problem {
  const from = [...modules.values()].find(({ packages }) => packages.some((one) => one.specifier === specifier));
  const message = `cannot find ${JSON.stringify(specifier)}: this preview has no npm packages`;
  return { ...(from ? { path: from.path } : {}), message };
}
