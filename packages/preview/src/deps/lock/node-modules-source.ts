import type { PackageSource, PackageVersion } from "./package-source.ts";

const FOLDER = "node_modules/";

/**
 * Packages by the place that an installer gives them, such as `node_modules/a/node_modules/b`. A name is looked for as Node
 * does: below the package that asks, then upwards.
 */
export function nodeModulesSource(places: ReadonlyMap<string, () => PackageVersion>): PackageSource {
  return {
    find(from, name) {
      for (let place = from?.id ?? ""; ; place = parentOf(place)) {
        const found = places.get(`${place === "" ? "" : `${place}/`}${FOLDER}${name}`);
        if (found) return Promise.resolve(found());
        if (place === "") return Promise.resolve(undefined);
      }
    },
  };
}

function parentOf(place: string): string {
  const at = place.lastIndexOf(`/${FOLDER}`);
  return at === -1 ? "" : place.slice(0, at);
}
