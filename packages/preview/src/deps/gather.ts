import type { DependencyCache } from "./cache/dependency-cache.ts";
import type { FileReference } from "./link/file-reference.ts";
import { EMPTY_UNIT, type EntryWish, linkPackage } from "./link/link-package.ts";
import { entryKey, type ImportTarget, type PackageUnit } from "./link/linked-file.ts";
import type { LinkTarget } from "./link/package-manifest.ts";
import type { ImportKind } from "./link/read-module.ts";
import { splitSpecifier } from "./link/resolve-import.ts";
import type { PackageSource, PackageVersion } from "./lock/package-source.ts";
import type { RegistryClient } from "./registry/registry-client.ts";
import { fetchTarball, nameOf, sealVersion } from "./tarball/fetch-tarball.ts";
import { unpackTarball } from "./tarball/unpack.ts";

/** A change of this forgets all that was linked before. */
const LINK_VERSION = 5;
/** Packages that are fetched at once. One at a time is unpacked and linked: an isolate has 128 MB. */
const AT_ONCE = 4;

export interface GatherContext {
  readonly source: PackageSource;
  readonly client: RegistryClient;
  readonly cache: DependencyCache;
  readonly target: LinkTarget;
  readonly signal: AbortSignal;
  /** Runs one after another what takes much memory. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onStep: (name: string, step: "resolve" | "download" | "unpack" | "bundle" | "ready") => void;
}

/** A package of which files are used. */
export interface GatheredPackage {
  readonly version: PackageVersion;
  readonly unit: PackageUnit;
  readonly used: ReadonlySet<string>;
}

/** All packages that an app needs, and how they hang together. */
export interface Gathered {
  readonly packages: ReadonlyMap<string, GatheredPackage>;
  /** What a specifier means in the code of a package, or of the app where `from` is undefined; undefined for nothing. */
  follow(from: string | undefined, specifier: string, kind: ImportKind): FileReference | undefined;
  /** The package that a specifier of the app belongs to. */
  owner(specifier: string): { readonly name: string; readonly failed: boolean } | undefined;
  /** Why a specifier of the app is not there, or a package is not. */
  readonly failures: readonly GatherFailure[];
}

interface GatherFailure {
  /** Of the app; undefined for a package that another one needs. */
  readonly specifier: string | undefined;
  readonly error: unknown;
}

interface Package {
  readonly version: PackageVersion;
  unit: PackageUnit;
  readonly used: Set<string>;
  readonly wishes: Map<string, EntryWish>;
  failed: boolean;
}

interface Link {
  readonly id: string;
  readonly key: string;
}

/** Finds, fetches and links what these specifiers need. What fails is among the failures; throws `signal.reason` on abort. */
export async function gather(specifiers: readonly string[], context: GatherContext): Promise<Gathered> {
  const packages = new Map<string, Package>();
  const links = new Map<string, Link>();
  const failures: GatherFailure[] = [];
  const linkKey = (from: string | undefined, specifier: string, kind: ImportKind): string =>
    JSON.stringify([from ?? null, specifier, kind]);

  /** Asks for an entry; it is there after the next round. */
  const wish = async (from: Package | undefined, specifier: string, kind: ImportKind): Promise<boolean> => {
    const key = linkKey(from?.version.id, specifier, kind);
    if (links.has(key)) return true;
    // A query such as `?module` says how a bundler is to take the file.
    const { name, subpath } = splitSpecifier(specifier.replace(/\?.*$/s, ""));
    const version = await context.source.find(from?.version, name, context.signal);
    if (!version) return false;
    const found: Package = packages.get(version.id) ?? {
      version,
      unit: EMPTY_UNIT,
      used: new Set(),
      wishes: new Map(),
      failed: false,
    };
    packages.set(version.id, found);
    const entry = entryKey(subpath, kind);
    links.set(key, { id: version.id, key: entry });
    if (!found.failed && !Object.hasOwn(found.unit.entries, entry)) found.wishes.set(entry, { subpath, kind });
    return true;
  };
  const wishOfApp = async (specifier: string): Promise<void> => {
    context.onStep(splitSpecifier(specifier).name, "resolve");
    try {
      if (!(await wish(undefined, specifier, "import"))) failures.push({ specifier, error: undefined });
    } catch (error) {
      context.signal.throwIfAborted();
      failures.push({ specifier, error });
    }
  };
  await someAtOnce(specifiers, wishOfApp);
  for (let isDone = false; !isDone;) {
    const open = [...packages.values()].filter(({ wishes }) => wishes.size > 0);
    await someAtOnce(open, (one) => fulfil(one, context, failures));
    const needs = [...packages.values()].flatMap((one) => follows(one, [...links.values()]));
    await someAtOnce(needs, async ([from, target]) => {
      try {
        await wish(from, target.specifier, target.kind);
      } catch (error) {
        context.signal.throwIfAborted();
        failures.push({ specifier: undefined, error });
      }
    });
    isDone = needs.length === 0 && [...packages.values()].every(({ wishes }) => wishes.size === 0);
  }
  return {
    packages,
    failures,
    owner(specifier) {
      const one = packages.get(links.get(linkKey(undefined, specifier, "import"))?.id ?? "");
      return one && { name: nameOf(one.version), failed: one.failed };
    },
    follow(from, specifier, kind) {
      const link = links.get(linkKey(from, specifier, kind));
      const path = link && packages.get(link.id)?.unit.entries[link.key];
      return link && typeof path === "string" ? { id: link.id, path } : undefined;
    },
  };
}

/** Links what is wanted of a package, with as little work as the cache leaves. */
async function fulfil(one: Package, context: GatherContext, failures: GatherFailure[]): Promise<void> {
  const { cache, client, signal, onStep, target } = context;
  const name = nameOf(one.version);
  const wishes = [...one.wishes.values()];
  one.wishes.clear();
  try {
    const sealed = await sealVersion(one.version, client, signal);
    const cacheKey = `unit/${LINK_VERSION}/${JSON.stringify(target)}/${name}/${sealed.integrity}`;
    if (one.unit === EMPTY_UNIT) {
      const cached = await cache.get(cacheKey);
      if (cached) one.unit = JSON.parse(new TextDecoder().decode(cached)) as PackageUnit;
    }
    const missing = wishes.filter(({ subpath, kind }) => !Object.hasOwn(one.unit.entries, entryKey(subpath, kind)));
    if (missing.length > 0) {
      onStep(name, "download");
      const tarball = await fetchTarball(sealed, client, cache, signal);
      one.unit = await context.inTurn(async () => {
        onStep(name, "unpack");
        const files = await unpackTarball(name, tarball, signal);
        onStep(name, "bundle");
        return linkPackage(files, target, one.unit, missing, pause, signal);
      });
      await cache.put(cacheKey, new TextEncoder().encode(JSON.stringify(one.unit)));
    }
    onStep(name, "ready");
  } catch (error) {
    signal.throwIfAborted();
    one.failed = true;
    failures.push({ specifier: undefined, error });
  }
}

/** The files that are used now and were not, and what they need of other packages. */
function follows(
  one: Package,
  links: readonly Link[],
): [from: Package, target: Extract<ImportTarget, { to: "package" }>][] {
  const entries = links.filter(({ id }) => id === one.version.id).map(({ key }) => one.unit.entries[key]);
  const open = entries.filter((path) => typeof path === "string" && path !== "") as string[];
  const found: [Package, Extract<ImportTarget, { to: "package" }>][] = [];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (one.used.has(path)) continue;
    one.used.add(path);
    for (const target of Object.values(one.unit.files[path]?.targets ?? {})) {
      if (target.to === "file") open.push(target.path);
      if (target.to === "package") found.push([one, target]);
    }
  }
  return found;
}

/** Does this for all of them, some at once. The first that throws ends it. */
async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const open = [...items];
  const worker = async (): Promise<void> => {
    for (let item = open.shift(); item !== undefined; item = open.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function pause(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}
