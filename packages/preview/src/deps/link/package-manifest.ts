import { exports as exportsOf, imports as importsOf } from "resolve.exports";
import { type Fields, fieldsOf, textOf } from "../lock/lock-fields.ts";
import type { ImportKind } from "./read-module.ts";

/** For which runtime a package is made ready. */
export interface LinkTarget {
  readonly platform: "worker" | "browser";
  /** Besides `import`, `require` and `default`, sorted. */
  readonly conditions: readonly string[];
  /** What `process.env.NODE_ENV` is. */
  readonly mode: "development" | "production";
}

/** A package's own `package.json`. */
export interface PackageManifest {
  readonly name: string | undefined;
  readonly isModule: boolean;
  /** Undefined when it exports no such path, or does not for this target; false when it asks for an empty module. */
  entry(subpath: string, kind: ImportKind): string | false | undefined;
  /** What `#name` means: a path with `./`, or another package; undefined where it is not there. */
  internal(name: string, kind: ImportKind): string | undefined;
  /** What the `browser` field puts in place of a file or a package. */
  replaced(path: string): string | false | undefined;
}

export function packageManifest(json: unknown, target: LinkTarget): PackageManifest {
  const fields = fieldsOf(json);
  const isBrowser = target.conditions.includes("browser");
  const browser = isBrowser ? fieldsOf(fields["browser"]) : {};
  const replaced = (path: string): string | false | undefined => {
    const value = [path, `${path}.js`, `${path}.json`, `${path}/index.js`]
      .map((key) => (Object.hasOwn(browser, key) ? browser[key] : undefined))
      .find((one) => one !== undefined);
    return value === false ? false : textOf(value);
  };
  const conditions = (kind: ImportKind): readonly string[] => [...target.conditions, kind, "module"];
  const name = textOf(fields["name"]);
  return {
    name,
    isModule: fields["type"] === "module",
    replaced,
    entry(subpath, kind) {
      if (fields["exports"] !== undefined && fields["exports"] !== null) {
        return first(() =>
          exportsOf({ ...fields, name: name ?? "" } as never, subpath, { unsafe: true, conditions: conditions(kind) }),
        );
      }
      const path = subpath === "." ? mainOf(fields, isBrowser, kind) : subpath;
      return replaced(path) ?? path;
    },
    internal(specifier, kind) {
      return first(() =>
        importsOf({ ...fields, name: name ?? "" } as never, specifier, { unsafe: true, conditions: conditions(kind) }),
      );
    },
  };
}

// The library throws for what is not there.
function first(resolve: () => readonly string[] | void): string | undefined {
  try {
    return resolve()?.[0];
  } catch {
    return undefined;
  }
}

function mainOf(fields: Fields, isBrowser: boolean, kind: ImportKind): string {
  const main = textOf(fields["main"]);
  // Who requires a package means its CommonJS: the ES module beside it would be another copy, and no function.
  const module = kind === "require" && main !== undefined ? undefined : textOf(fields["module"]);
  const path = (isBrowser ? textOf(fields["browser"]) : undefined) ?? module ?? main ?? "index";
  return path.startsWith("./") ? path : `./${path.replace(/^\//, "")}`;
}
