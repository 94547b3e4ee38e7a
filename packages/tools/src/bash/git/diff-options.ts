import type { GitDiffForm } from "@tenrec/protocol";
import { SedPattern } from "../commands/sed/sed-pattern.ts";
import { fatal, notHere } from "./git-call.ts";

/** How changes are shown, and which of them. */
export interface DiffStyle {
  /** What is shown of them; with none, what the command shows by itself. */
  forms: DiffForm[];
  lines: { -readonly [key in keyof GitDiffForm]: GitDiffForm[key] };
  /** What names in a patch begin with. */
  prefixes: readonly [string, string];
  isReversed: boolean;
  /** Columns of `--stat`. */
  width: number;
  /** Letters of ids, those of the line `index` apart when they are there in full. */
  idLength: number;
  hasFullIndex: boolean;
  /** Letters of the kinds of changes that are shown, or in lower case of those that are not. */
  kinds: string;
  /** What a change must have touched. */
  touched: Touched | undefined;
}

export type DiffForm =
  | "patch"
  | "stat"
  | "shortstat"
  | "numstat"
  | "name-only"
  | "name-status"
  | "raw"
  | "summary"
  | "check"
  | "none";

/** Whether lines that a change adds and removes are what is looked for. */
type Touched = (added: readonly string[], removed: readonly string[]) => boolean;

export function plainStyle(...forms: readonly DiffForm[]): DiffStyle {
  return {
    forms: [...forms],
    lines: {},
    prefixes: ["a/", "b/"],
    isReversed: false,
    width: 80,
    idLength: 7,
    hasFullIndex: false,
    kinds: "",
    touched: undefined,
  };
}

/** Options that change nothing in what is printed here. */
const WITHOUT_EFFECT =
  /^(--no-color|--color(=.*)?|--(no-)?ext-diff|-M\d*%?|--find-renames(=.*)?|--(no-)?textconv|--minimal|--histogram|--patience|--diff-algorithm=.*|--(no-)?indent-heuristic|--no-color-moved|--no-relative|--default-prefix)$/;

/** Takes an option of diff into a style; false when it is none. `next` is the argument behind it. */
export function takeDiffOption(style: DiffStyle, arg: string, next: () => string | undefined): boolean {
  const [, name = arg, attached] = /^(--[a-z-]+)=(.*)$/s.exec(arg) ?? /^(-[USG])(.+)$/s.exec(arg) ?? [];
  const set = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined;
  if (!set) return WITHOUT_EFFECT.test(arg);
  set(style, attached, () => attached ?? next() ?? fatal(`option '${name}' requires a value`));
  return true;
}

type Take = (style: DiffStyle, attached: string | undefined, value: () => string) => void;

function show(...forms: readonly DiffForm[]): Take {
  return (style, attached) => {
    if (attached !== undefined) notHere(`--${forms[0]}=${attached}`, `use --${forms[0]} by itself`);
    addForms(style, forms);
  };
}

function addForms(style: DiffStyle, forms: readonly DiffForm[]): void {
  style.forms = [...new Set([...style.forms.filter((form) => form !== "none"), ...forms])];
}

const takeContext: Take = (style, attached) => {
  if (attached === undefined || !/^\d{1,9}$/.test(attached)) fatal(`--unified expects a numerical value`);
  style.lines.context = Number(attached);
  addForms(style, ["patch"]);
};

function ignore(space: NonNullable<GitDiffForm["ignoreSpace"]>): Take {
  return ({ lines }) => {
    const order = ["end", "amount", "all"] as const;
    if (order.indexOf(space) > order.indexOf(lines.ignoreSpace ?? "end") || !lines.ignoreSpace)
      lines.ignoreSpace = space;
  };
}

const takeWidth: Take = (style, attached) => {
  if (attached === undefined) return;
  if (!/^[1-9]\d{0,4}$/.test(attached)) notHere(`--stat=${attached}`, "give the width alone, as in --stat=120");
  style.width = Number(attached);
};

const OPTIONS: Readonly<Record<string, Take>> = {
  "-p": show("patch"),
  "-u": show("patch"),
  "--patch": show("patch"),
  "-s": (style) => void (style.forms = ["none"]),
  "--no-patch": (style) => void (style.forms = ["none"]),
  "--stat": (style, attached, value) => {
    takeWidth(style, attached, value);
    addForms(style, ["stat"]);
  },
  "--stat-width": takeWidth,
  "--patch-with-stat": show("patch", "stat"),
  "--shortstat": show("shortstat"),
  "--numstat": show("numstat"),
  "--name-only": show("name-only"),
  "--name-status": show("name-status"),
  "--raw": show("raw"),
  "--summary": show("summary"),
  "--check": show("check"),
  "-U": takeContext,
  "--unified": takeContext,
  "-w": ignore("all"),
  "--ignore-all-space": ignore("all"),
  "-b": ignore("amount"),
  "--ignore-space-change": ignore("amount"),
  "--ignore-space-at-eol": ignore("end"),
  "-R": (style) => {
    style.isReversed = true;
    style.prefixes = [style.prefixes[1], style.prefixes[0]];
  },
  "--no-prefix": (style) => void (style.prefixes = ["", ""]),
  "--src-prefix": (style, _, value) => void (style.prefixes = [value(), style.prefixes[1]]),
  "--dst-prefix": (style, _, value) => void (style.prefixes = [style.prefixes[0], value()]),
  "--full-index": (style) => void (style.hasFullIndex = true),
  "--abbrev": (style, attached = "7") => {
    if (!/^\d{1,9}$/.test(attached)) fatal(`--abbrev expects a numerical value`);
    style.idLength = Math.min(40, Math.max(4, Number(attached)));
  },
  "--diff-filter": (style, _, value) => {
    style.kinds = value();
    if (!/^[ACDMRTUXBacdmrtuxb]*$/.test(style.kinds)) fatal(`unknown change class in '--diff-filter=${style.kinds}'`);
  },
  "-S": (style, _, value) => {
    const text = value();
    if (text === "" || text.includes("\n")) notHere("-S with this text", "look for a part of one line");
    const count = (lines: readonly string[]): number =>
      lines.reduce((sum, line) => sum + line.split(text).length - 1, 0);
    style.touched = (added, removed) => count(added) !== count(removed);
  },
  "-G": (style, _, value) => {
    const pattern = new SedPattern(value(), { extended: true, ignoreCase: false, lines: false });
    style.touched = (added, removed) => [...added, ...removed].some((line) => pattern.find(line, 0) !== undefined);
  },
};
