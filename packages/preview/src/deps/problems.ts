import { toModelText } from "@tenrec/protocol";
import type { Problem } from "../problem.ts";
import type { DependencyRequest } from "./dependencies.ts";
import type { Gathered } from "./gather.ts";
import { builtinOf } from "./link/builtin-modules.ts";
import { splitSpecifier } from "./link/resolve-import.ts";

/** What is to be said of an error, and what can be done about it, in one line. */
export function problemOf(error: unknown): Problem {
  return { message: toModelText(error).replaceAll("\n", " ") };
}

/** A problem for each specifier that is not there, each package that failed, and each entry that cannot run. */
export function dependencyProblems(gathered: Gathered, request: DependencyRequest): readonly Problem[] {
  const messages = new Set<string>();
  const failed = new Set(gathered.failures.map(({ specifier }) => specifier));
  for (const { specifier, error } of gathered.failures) {
    messages.add(error === undefined ? notDeclared(specifier ?? "", request) : problemOf(error).message);
  }
  for (const specifier of request.specifiers) {
    const message = failed.has(specifier) ? undefined : entryProblem(gathered, specifier);
    if (message !== undefined) messages.add(message);
  }
  return [...messages].map((message) => ({ message }));
}

/** What is wrong with an entry of a package. Another file may never run: it throws when it does. */
function entryProblem(gathered: Gathered, specifier: string): string | undefined {
  const owner = gathered.owner(specifier);
  if (!owner || owner.failed) return undefined;
  const entry = gathered.follow(undefined, specifier, "import");
  const { subpath } = splitSpecifier(specifier);
  if (!entry) return `${owner.name} has no export ${JSON.stringify(subpath)}, which the app imports as ${specifier}.`;
  const problem = gathered.packages.get(entry.id)?.unit.files[entry.path]?.problem;
  return problem === undefined ? undefined : `${owner.name}: ${problem}.`;
}

function notDeclared(specifier: string, { lockfile, manifest }: DependencyRequest): string {
  const { name } = splitSpecifier(specifier);
  if (builtinOf(specifier) !== undefined) return `${specifier} is a module of Node, which a browser does not have.`;
  const isDeclared = manifest?.includes(JSON.stringify(name)) === true;
  return lockfile && isDeclared
    ? `${name} is in package.json and not in ${lockfile.name}. Bring the lockfile up to date, or delete it.`
    : `The app imports ${specifier}, and ${name} is not in its package.json. Add it to the dependencies there${lockfile ? `, and to ${lockfile.name}` : ""}.`;
}
