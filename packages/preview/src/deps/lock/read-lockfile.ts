import { TenrecError } from "@tenrec/protocol";
import { readBunLock } from "./bun-lock.ts";
import { readPackageLock } from "./package-lock.ts";
import type { PackageSource } from "./package-source.ts";
import { readPnpmLock } from "./pnpm-lock.ts";
import { readYarnLock } from "./yarn-lock.ts";

/**
 * The source that a lockfile is. `ranges` are those of the app's own `package.json`. Throws `unsupported` for one that is
 * not known, and `EINVAL` for one that cannot be parsed.
 */
export function readLockfile(
  { name, text }: { readonly name: string; readonly text: string },
  ranges: ReadonlyMap<string, string>,
): PackageSource {
  try {
    switch (name.slice(name.lastIndexOf("/") + 1)) {
      case "package-lock.json":
      case "npm-shrinkwrap.json":
        return readPackageLock(text);
      case "pnpm-lock.yaml":
        return readPnpmLock(text);
      case "yarn.lock":
        return readYarnLock(text, ranges);
      case "bun.lock":
        return readBunLock(text);
      default:
        throw new TenrecError("unsupported", { what: `the lockfile ${name}`, by: "The preview" });
    }
  } catch (error) {
    if (error instanceof TenrecError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new TenrecError("EINVAL", { path: name, reason }, { cause: error });
  }
}
