import semver from "semver";
import type { Packument, PublishedManifest } from "./manifest.ts";
import { npmError } from "./npm-refusal.ts";
import type { NpmSpec } from "./npm-spec.ts";

/** Whose demands on an engine are met: that of the containers. */
const NODE_VERSION = "24.0.0";

const LOOSE = { loose: true } as const;

/**
 * The version that npm takes: `latest` where it is in the range, else the best of the range, where what is not deprecated
 * and runs on our Node comes first. Throws `NpmRefusal` when there is none.
 */
export function pickVersion(packument: Packument, { type, text }: NpmSpec): PublishedManifest {
  const { name, versions = {}, "dist-tags": tags = {} } = packument;
  const versionOf = (version: string | undefined): PublishedManifest | undefined =>
    version !== undefined && Object.hasOwn(versions, version) ? versions[version] : undefined;
  const found =
    type === "range"
      ? bestOf(versions, versionOf(tags["latest"]), text)
      : versionOf(type === "tag" && Object.hasOwn(tags, text) ? tags[text] : text);
  if (!found) throw npmError(`code ETARGET\nNo matching version found for ${name}@${text}.`);
  return found;
}

function bestOf(
  versions: NonNullable<Packument["versions"]>,
  latest: PublishedManifest | undefined,
  range: string,
): PublishedManifest | undefined {
  if (latest && isGood(latest) && (range === "*" || semver.satisfies(latest.version, range, LOOSE))) return latest;
  const fitting = Object.values(versions).filter(({ version }) => semver.satisfies(version, range, LOOSE));
  return fitting.toSorted((a, b) => rank(b) - rank(a) || semver.rcompare(a.version, b.version, true))[0];
}

function isGood(manifest: PublishedManifest): boolean {
  return !manifest.deprecated && runsHere(manifest);
}

function rank(manifest: PublishedManifest): number {
  if (isGood(manifest)) return 3;
  if (runsHere(manifest)) return 2;
  return manifest.deprecated ? 0 : 1;
}

function runsHere({ engines }: PublishedManifest): boolean {
  const node = engines && "node" in engines ? engines.node : undefined;
  return node === undefined || semver.satisfies(NODE_VERSION, node, { includePrerelease: true });
}
