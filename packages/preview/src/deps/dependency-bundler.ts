import type { Egress } from "@tenrec/protocol";
import type { DependencyCache } from "./cache/dependency-cache.ts";
import type { DependencyBundler, DependencyProgress, DependencyRequest } from "./dependencies.ts";
import { type EmittedPackages, emitDependencies, emitPackages } from "./emit/emit-dependencies.ts";
import { gather, type GatherContext } from "./gather.ts";
import type { LinkTarget } from "./link/package-manifest.ts";
import { readLockfile } from "./lock/read-lockfile.ts";
import type { Problem } from "../problem.ts";
import { dependencyProblems, problemOf } from "./problems.ts";
import { type AppManifest, readAppManifest } from "./registry/app-manifest.ts";
import { createRegistryClient } from "./registry/registry-client.ts";
import { registryConfig } from "./registry/registry-config.ts";
import { registrySource } from "./registry/registry-source.ts";

export interface DependencyBundlerOptions {
  /** The way to registries. Its policy says which hosts may be reached. */
  readonly egress: Egress;
  /** May be shared by any number of bundlers. */
  readonly cache: DependencyCache;
  /** For what no `.npmrc` says otherwise. Default: npm's public one. */
  readonly registry?: string;
}

/** For the worker and the browser of an app, before and after an edit. */
const KEPT = 4;

/**
 * Fetches packages from npm registries and makes modules of them, without an installer or a bundler: each file becomes a
 * function once, and a package is one module of those that are used.
 */
export function createDependencyBundler(options: DependencyBundlerOptions): DependencyBundler {
  const kept = new Map<string, Prepared>();
  return {
    async bundle(request) {
      request.signal.throwIfAborted();
      const key = keyOf(request);
      const known = kept.get(key) ?? (await prepare(options, request));
      if ("message" in known) return { modules: new Map(), imports: new Map(), problems: [known] };
      const { packages, problems, isModule } = known;
      kept.delete(key);
      // What failed may work the next time.
      if (problems.length === 0) kept.set(key, known);
      for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
      return { ...(await emitDependencies(packages, request, isModule)), problems };
    },
  };
}

/** What stays the same while an app imports from the same packages. */
interface Prepared {
  readonly packages: EmittedPackages;
  readonly problems: readonly Problem[];
  readonly isModule: boolean;
}

function keyOf({ specifiers, manifest, lockfile, npmrc, target, conditions }: DependencyRequest): string {
  return JSON.stringify([specifiers.toSorted(), manifest, lockfile, npmrc, target, conditions]);
}

async function prepare(options: DependencyBundlerOptions, request: DependencyRequest): Promise<Prepared | Problem> {
  let manifest: AppManifest;
  let context: GatherContext;
  try {
    manifest = readAppManifest(request.manifest);
    context = contextOf(options, request, manifest);
  } catch (error) {
    return problemOf(error);
  }
  const gathered = await gather(request.specifiers.toSorted(), context);
  const packages = await emitPackages(gathered, request.target);
  return { packages, problems: dependencyProblems(gathered, request), isModule: manifest.isModule };
}

function contextOf(
  { egress, cache, registry }: DependencyBundlerOptions,
  { lockfile, npmrc, target, conditions, signal, onProgress }: DependencyRequest,
  { ranges }: AppManifest,
): GatherContext {
  const client = createRegistryClient(egress, registryConfig(npmrc, registry));
  const linkTarget: LinkTarget = {
    platform: target,
    conditions: conditions.toSorted(),
    mode: conditions.includes("production") ? "production" : "development",
  };
  const source = lockfile ? readLockfile(lockfile, ranges) : registrySource(client, cache, ranges);
  return { source, client, cache, target: linkTarget, signal, onStep: counting(onProgress), inTurn: oneAtATime() };
}

/** Whatever comes while something runs waits for its end, however it ends. */
function oneAtATime(): GatherContext["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}

function counting(onProgress: ((progress: DependencyProgress) => void) | undefined): GatherContext["onStep"] {
  const ready = new Set<string>();
  const known = new Set<string>();
  return (name, step) => {
    if (step !== "resolve") known.add(name);
    if (step === "ready") ready.add(name);
    onProgress?.({ package: name, step, ready: ready.size, known: known.size });
  };
}
