import type { FileDiff } from "@tenrec/protocol";
import { amount, oneLine, patchLines } from "tenrec/view";
import { button, element } from "./dom.ts";

/** Lines of one file's diff that are shown at once. */
const SHOWN_LINES = 2000;

/** What the session has changed, as one unified diff for each file. */
export class ChangesView {
  readonly #root: HTMLElement;
  readonly #closed = new Set<string>();
  #shown = "";

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  clear(): void {
    this.#closed.clear();
    this.#shown = "";
    this.#root.replaceChildren();
  }

  show(diffs: readonly FileDiff[]): void {
    const key = JSON.stringify(diffs);
    if (key === this.#shown) return;
    this.#shown = key;
    if (diffs.length === 0) return this.#root.replaceChildren(element("p", "empty", "Nothing has changed yet."));
    this.#root.replaceChildren(totals(diffs), ...diffs.map((diff) => this.#file(diff)));
  }

  #file(diff: FileDiff): HTMLElement {
    const { path, from, change, added, removed } = diff;
    const origin = from === undefined ? "" : `${oneLine(from.slice(1))} → `;
    const name = element("code", "", origin + oneLine(path.slice(1)));
    const summary = element(
      "summary",
      "",
      name,
      ...counts(added, removed),
      element("span", "change", changeText(change)),
    );
    const details = element("details", "file", summary);
    details.open = !this.#closed.has(path);
    details.append(diff.binary ? element("p", "empty", "A binary file.") : patchElement(diff.patch));
    details.addEventListener("toggle", () => {
      if (details.open) this.#closed.delete(path);
      else this.#closed.add(path);
    });
    return details;
  }
}

function totals(diffs: readonly FileDiff[]): HTMLElement {
  const sum = (of: (diff: FileDiff) => number): number => diffs.reduce((total, diff) => total + of(diff), 0);
  const files = `${diffs.length} file${diffs.length === 1 ? "" : "s"} changed`;
  return element(
    "p",
    "totals",
    files,
    ...counts(
      sum((diff) => diff.added),
      sum((diff) => diff.removed),
    ),
  );
}

function counts(added: number, removed: number): HTMLElement[] {
  return [element("span", "added", `+${amount(added)}`), element("span", "removed", `−${amount(removed)}`)];
}

function changeText(change: FileDiff["change"]): string {
  return { create: "new", modify: "", delete: "deleted", rename: "renamed" }[change];
}

function patchElement(patch: string): HTMLElement {
  // The names of the file are in the heading.
  const lines = patchLines(patch).filter(
    ({ kind, text }) => kind !== "file" || !/^(---|\+\+\+|diff --git) /.test(text),
  );
  const body = element("pre", "patch");
  const append = (from: number): void => {
    const next = lines.slice(from, from + SHOWN_LINES);
    body.append(...next.map(({ kind, text }) => element("span", kind, `${text}\n`)));
    const left = lines.length - from - next.length;
    if (left <= 0) return;
    const more = button(`Show ${amount(Math.min(left, SHOWN_LINES))} more of ${amount(left)} lines`, () => {
      more.remove();
      append(from + SHOWN_LINES);
    });
    body.append(more);
  };
  append(0);
  return body;
}
