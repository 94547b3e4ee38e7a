import type { Manifest } from "./manifest.ts";

/** Manifests by name and version: `{ a: { "1.0.0": { dependencies: { b: "^1.0.0" } } } }`. */
export type Published = Readonly<Record<string, Readonly<Record<string, Manifest>>>>;

export interface RegistryAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const SHORT = "application/vnd.npm.install-v1+json";

/** What the short form has. */
const SHORT_FIELDS = (
  "name version deprecated dependencies optionalDependencies devDependencies bundleDependencies peerDependencies " +
  "peerDependenciesMeta bin directories engines dist cpu os hasInstallScript funding"
).split(" ");

/** Answers as a registry does that has these packages, at an address. `latest` is the last version. */
export function answerAsRegistry(published: Published, address: string, path: string, accept: string): RegistryAnswer {
  const [first = "", second] = path.slice(1).split("/");
  const name = decodeURIComponent(first);
  const versions = Object.hasOwn(published, name) ? published[name] : undefined;
  if (!versions) return { status: 404, contentType: "application/json", body: '{"error":"Not found"}' };
  const full = Object.fromEntries(
    Object.entries(versions).map(([version, manifest]) => [version, whole(name, version, manifest, address)]),
  );
  const latest = Object.keys(versions).findLast((version) => !version.includes("-"));
  const next = Object.keys(versions).at(-1);
  if (second !== undefined) {
    const one = full[second === "latest" ? (latest ?? "") : second];
    return { status: one ? 200 : 404, contentType: "application/json", body: JSON.stringify(one ?? {}) };
  }
  const isShort = accept.startsWith(SHORT);
  const shown = isShort
    ? Object.fromEntries(Object.entries(full).map(([version, manifest]) => [version, shorten(manifest)]))
    : full;
  const body = JSON.stringify({ name, "dist-tags": { latest, next }, versions: shown });
  return { status: 200, contentType: isShort ? SHORT : "application/json", body };
}

function whole(name: string, version: string, manifest: Manifest, address: string): Manifest {
  const file = name.slice(name.indexOf("/") + 1);
  const dist = {
    tarball: `${address}/${name}/-/${file}-${version}.tgz`,
    integrity: `sha512-${btoa(`${name}@${version}`.padEnd(64, "."))}`,
  };
  return { name, version, dist, license: "MIT", description: "for a test", ...manifest };
}

function shorten(manifest: Manifest): Manifest {
  const isScripted = typeof manifest["scripts"] === "object" && "postinstall" in (manifest["scripts"] ?? {});
  return Object.fromEntries(
    Object.entries({ ...manifest, ...(isScripted ? { hasInstallScript: true } : {}) }).filter(([field]) =>
      SHORT_FIELDS.includes(field),
    ),
  );
}
