import { TenrecError } from "@tenrec/protocol";
import { maxSatisfying, satisfies, validRange } from "semver";
import type { DependencyCache } from "../cache/dependency-cache.ts";
import { notInRegistry, optional } from "../lock/lock-fields.ts";
import type { PackageSource, PackageVersion } from "../lock/package-source.ts";
import { fetchPackument, type Packument, type RegistryVersion } from "./packument.ts";
import type { RegistryClient } from "./registry-client.ts";

/** The range of a name, perhaps by another name. */
interface Wish {
  readonly name: string;
  readonly range: string;
}

/** What was chosen for a wish once, so that the next request gives the same without asking. */
interface Choice extends RegistryVersion {
  readonly name: string;
}

/**
 * Packages by ranges, for an app without a lockfile. What the app itself depends on is what its packages get too, where it
 * suits them, or is their peer; else each gets the newest version that suits it. So the order of questions does not matter.
 */
export function registrySource(
  client: RegistryClient,
  cache: DependencyCache,
  ranges: ReadonlyMap<string, string>,
): PackageSource {
  const packuments = new Map<string, Promise<Packument>>();
  const chosen = new Map<string, Choice>();
  const choose = async (wish: Wish, signal: AbortSignal): Promise<Choice> => {
    const key = `choice/1/${client.config.registryOf(wish.name)}/${wish.name}@${wish.range}`;
    const known = await cache.get(key);
    if (known) return JSON.parse(new TextDecoder().decode(known)) as Choice;
    const pending = packuments.get(wish.name) ?? fetchPackument(client, wish.name, signal);
    packuments.set(wish.name, pending);
    const choice = { name: wish.name, ...best(await pending, wish) };
    await cache.put(key, new TextEncoder().encode(JSON.stringify(choice)));
    return choice;
  };
  const ofApp = async (name: string, signal: AbortSignal): Promise<Choice | undefined> => {
    const range = ranges.get(name);
    return range === undefined ? undefined : await choose(wishOf(name, range), signal);
  };
  return {
    async find(from, name, signal) {
      const needs = from && chosen.get(from.id)?.ranges;
      const range = needs && Object.hasOwn(needs, name) ? needs[name] : undefined;
      const own = await ofApp(name, signal);
      const choice =
        range === undefined ? own : await suiting(wishOf(name, range), own, () => choose(wishOf(name, range), signal));
      if (!choice) return undefined;
      const version = versionOf(choice);
      chosen.set(version.id, choice);
      return version;
    },
  };
}

async function suiting({ name, range }: Wish, own: Choice | undefined, other: () => Promise<Choice>): Promise<Choice> {
  const suits = own?.name === name && satisfies(own.version, range, { includePrerelease: true });
  return own && suits ? own : await other();
}

function versionOf({ name, version, tarball, integrity }: Choice): PackageVersion {
  return { id: `${name}@${version}`, name, version, tarball, ...optional("integrity", integrity) };
}

/** Throws `unsupported` for what is not in a registry. */
function wishOf(name: string, range: string): Wish {
  const alias = /^npm:(@?[^@]+)(?:@(.*))?$/.exec(range);
  if (alias) return { name: alias[1] ?? name, range: alias[2] ?? "latest" };
  // Of a workspace, and of places in the tree or elsewhere.
  if (/[:/]/.test(range)) throw notInRegistry(name, range);
  return { name, range: range.trim() === "" ? "latest" : range.trim() };
}

function best(packument: Packument, { name, range }: Wish): RegistryVersion {
  const tagged = packument.tags.get(range === "*" ? "latest" : range);
  if (tagged !== undefined) return packument.version(tagged);
  const latest = packument.tags.get("latest");
  if (validRange(range) !== null) {
    // npm prefers what is tagged `latest` to anything newer.
    if (latest !== undefined && satisfies(latest, range)) return packument.version(latest);
    const version = maxSatisfying([...packument.versions], range);
    if (version !== null) return packument.version(version);
  }
  throw new TenrecError("package-not-found", { package: `${name}@${range}`, ...optional("newest", latest) });
}
