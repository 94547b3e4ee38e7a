import { TenrecError } from "@tenrec/protocol";

const NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;
const VERSION = /^[\w.+~-]+$/;

/** Throws `package-damaged` for what no registry has: names and versions become parts of addresses and of module names. */
export function checkPackageName(name: string, version = "0"): void {
  if (NAME.test(name) && VERSION.test(version)) return;
  const shown = JSON.stringify(version === "0" ? name : `${name}@${version}`);
  throw new TenrecError("package-damaged", { package: shown, reason: "that is no name of a package" });
}
