import type { SessionClient } from "@tenrec/runtime/client";
import { type Folder, fileTree } from "../view/file-tree.ts";
import { amount, oneLine } from "tenrec/view";
import { button, element } from "./dom.ts";

type Files = SessionClient["files"];
type FileText = Awaited<ReturnType<Files["read"]>>;

/** The session's files as a tree, or one of them with its lines numbered. */
export class FilesView {
  readonly #root: HTMLElement;
  readonly #opened = new Set<string>(["/src", "/src/app"]);
  #files: Files | undefined;
  #path: string | undefined;
  #shown = "";

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  clear(files: Files): void {
    this.#files = files;
    this.#path = undefined;
    this.#shown = "";
    this.#root.replaceChildren();
  }

  /** Reads again what is shown. */
  async refresh(): Promise<void> {
    const [files, path] = [this.#files, this.#path];
    if (!files) return;
    if (path === undefined) {
      const list = await files.list();
      if (this.#isCurrent(files, path)) this.#showTree(list.map((file) => file.path));
      return;
    }
    try {
      const file = await files.read(path);
      if (this.#isCurrent(files, path)) this.#showFile(file);
    } catch (error) {
      if (this.#isCurrent(files, path)) this.#put(`!${path}`, () => [this.#back(), problem(error)]);
    }
  }

  #isCurrent(files: Files, path: string | undefined): boolean {
    return files === this.#files && path === this.#path;
  }

  /** Leaves the page as it is where it shows the same already. */
  #put(key: string, make: () => readonly HTMLElement[]): void {
    if (key === this.#shown) return;
    this.#shown = key;
    this.#root.replaceChildren(...make());
  }

  #showTree(paths: readonly string[]): void {
    this.#put(`tree ${paths.join("\n")}`, () =>
      paths.length === 0 ? [element("p", "empty", "There are no files.")] : [this.#folder(fileTree(paths), "")],
    );
  }

  #folder(folder: Folder, path: string): HTMLElement {
    const list = element("ul", "tree");
    for (const [name, inner] of folder.folders)
      list.append(element("li", "", this.#subfolder(name, inner, `${path}/${name}`)));
    for (const file of folder.files) {
      const open = button(oneLine(file.name), () => this.#open(file.path));
      list.append(element("li", "", open));
    }
    return list;
  }

  /** Its entries are made when it is opened for the first time. */
  #subfolder(name: string, folder: Folder, path: string): HTMLElement {
    const details = element("details", "", element("summary", "", `${oneLine(name)}/`));
    const fill = (): void => {
      if (details.open && details.childElementCount === 1) details.append(this.#folder(folder, path));
    };
    details.open = this.#opened.has(path);
    fill();
    details.addEventListener("toggle", () => {
      if (details.open) this.#opened.add(path);
      else this.#opened.delete(path);
      fill();
    });
    return details;
  }

  #open(path: string | undefined): void {
    this.#path = path;
    void this.refresh().then(() => this.#root.querySelector<HTMLElement>("button")?.focus());
  }

  #back(): HTMLElement {
    const heading = element("h2", "", oneLine(this.#path?.slice(1) ?? ""));
    return element(
      "div",
      "file-head",
      button("← Files", () => this.#open(undefined)),
      heading,
    );
  }

  #showFile({ path, text, binary, size }: FileText): void {
    this.#put(`file ${path}\n${text}`, () => {
      if (binary) return [this.#back(), element("p", "empty", `A binary file of ${amount(size)} bytes.`)];
      const count = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
      const numbers = element("pre", "numbers", Array.from({ length: count }, (_, index) => index + 1).join("\n"));
      numbers.setAttribute("aria-hidden", "true");
      return [this.#back(), element("div", "source", numbers, element("pre", "", text))];
    });
  }
}

function problem(error: unknown): HTMLElement {
  return element("p", "error", error instanceof Error ? error.message : String(error));
}
