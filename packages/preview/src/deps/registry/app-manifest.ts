import { TenrecError } from "@tenrec/protocol";
import { fieldsOf, textsOf } from "../lock/lock-fields.ts";

/** What counts of an app's `package.json`. */
export interface AppManifest {
  /** Ranges by name, as they are written. */
  readonly ranges: ReadonlyMap<string, string>;
  /** Whether its `.js` and `.ts` files are ES modules by `"type": "module"`. */
  readonly isModule: boolean;
}

// The last one counts, as for npm.
const GROUPS = ["peerDependencies", "devDependencies", "dependencies", "optionalDependencies"] as const;

/** Throws `EINVAL` for what is no JSON. */
export function readAppManifest(text: string | undefined): AppManifest {
  if (text === undefined) return { ranges: new Map(), isModule: false };
  try {
    const fields = fieldsOf(JSON.parse(text.replace(/^\uFEFF/, "")));
    const ranges = new Map(GROUPS.flatMap((group) => [...textsOf(fields[group])]));
    return { ranges, isModule: fields["type"] === "module" };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TenrecError("EINVAL", { path: "package.json", reason }, { cause: error });
  }
}
