import { parsePackage } from "./npm-spec.ts";
import type { PackageChange } from "./change-packages.ts";
import type { Section } from "./project-manifest.ts";

const INSTALL: ReadonlySet<string> = new Set(["install", "i", "add", "in", "ins", "inst", "isntall"]);
const UNINSTALL: ReadonlySet<string> = new Set(["uninstall", "un", "remove", "rm", "r", "unlink"]);

const SECTIONS: Readonly<Record<string, Section>> = {
  "-D": "devDependencies",
  "--save-dev": "devDependencies",
  "--dev": "devDependencies",
  "-P": "dependencies",
  "--save-prod": "dependencies",
  "-O": "optionalDependencies",
  "--save-optional": "optionalDependencies",
};

/** Options that change nothing of the two files. */
const WITHOUT_EFFECT =
  /^(-s|-S|-q|-d|-y|--yes|--save|--silent|--quiet|--no-audit|--no-fund|--no-progress|--audit=false|--fund=false|--progress=false|--prefer-offline|--prefer-online|--package-lock-only|--ignore-scripts|--loglevel=\w+|--no-update-notifier)$/;

/**
 * What `npm install <names>` or `npm uninstall <names>` changes; undefined for all that takes the real npm: other commands
 * and options, packages that are not from a registry, and an install of what is there already.
 */
export function parseNpm(args: readonly string[]): PackageChange | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const options = args.filter((arg) => arg.startsWith("-"));
  const [command = "", ...names] = words;
  const others = options.filter((option) => !isKnown(option));
  if (others.length > 0 || names.length === 0) return undefined;
  const section = options.map((option) => SECTIONS[option]).findLast((found) => found !== undefined);
  const prefix = options.some((option) => option === "-E" || option === "--save-exact") ? "" : "^";
  const common = { prefix, ...(section === undefined ? {} : { section }) } as const;
  if (UNINSTALL.has(command)) return { ...common, add: [], remove: names };
  const add = names.flatMap((name) => parsePackage(name) ?? []);
  return INSTALL.has(command) && add.length === names.length ? { ...common, add, remove: [] } : undefined;
}

function isKnown(option: string): boolean {
  return Object.hasOwn(SECTIONS, option) || /^(-E|--save-exact)$/.test(option) || WITHOUT_EFFECT.test(option);
}
