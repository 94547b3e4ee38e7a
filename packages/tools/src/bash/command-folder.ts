import type { FsStat, IFileSystem } from "just-bash/browser";

const SOME_TIME = new Date(0);
const FILE: FsStat = {
  isFile: true,
  isDirectory: false,
  isSymbolicLink: false,
  mode: 0o755,
  size: 0,
  mtime: SOME_TIME,
};
const FOLDER: FsStat = { ...FILE, isFile: false, isDirectory: true };

/** `/bin`: an empty file for each command, so that `which` and `ls` find them. Nothing is made for it, and nothing changes it. */
export class CommandFolder implements IFileSystem {
  readonly #names: ReadonlySet<string>;
  readonly #more: readonly { readonly name: string }[];

  /** A name may be in both. */
  constructor(names: ReadonlySet<string>, more: readonly { readonly name: string }[]) {
    this.#names = names;
    this.#more = more;
  }

  async readFile(path: string): Promise<string> {
    this.#find(path);
    return "";
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    this.#find(path);
    return new Uint8Array();
  }

  async exists(path: string): Promise<boolean> {
    return path === "/" || this.#has(path.slice(1));
  }

  async stat(path: string): Promise<FsStat> {
    return this.#find(path);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.#find(path);
  }

  async readdir(path: string): Promise<string[]> {
    if (path !== "/") throw failure("ENOTDIR: not a directory", path);
    return this.#all().sort();
  }

  async realpath(path: string): Promise<string> {
    this.#find(path);
    return path;
  }

  async readlink(path: string): Promise<string> {
    this.#find(path);
    throw failure("EINVAL: invalid argument, readlink", path);
  }

  resolvePath(base: string, path: string): string {
    return path.startsWith("/") ? path : `${base === "/" ? "" : base}/${path}`;
  }

  getAllPaths(): string[] {
    return this.#all().map((name) => `/${name}`);
  }

  writeFile(path: string): Promise<void> {
    return refuse(path);
  }

  appendFile(path: string): Promise<void> {
    return refuse(path);
  }

  mkdir(path: string): Promise<void> {
    return refuse(path);
  }

  rm(path: string): Promise<void> {
    return refuse(path);
  }

  cp(_source: string, path: string): Promise<void> {
    return refuse(path);
  }

  mv(path: string): Promise<void> {
    return refuse(path);
  }

  chmod(path: string): Promise<void> {
    return refuse(path);
  }

  symlink(_target: string, path: string): Promise<void> {
    return refuse(path);
  }

  link(_existing: string, path: string): Promise<void> {
    return refuse(path);
  }

  utimes(path: string): Promise<void> {
    return refuse(path);
  }

  #has(name: string): boolean {
    return this.#names.has(name) || this.#more.some((each) => each.name === name);
  }

  #all(): string[] {
    return [...new Set([...this.#names, ...this.#more.map(({ name }) => name)])];
  }

  #find(path: string): FsStat {
    if (path === "/") return FOLDER;
    if (this.#has(path.slice(1))) return FILE;
    throw failure("ENOENT: no such file or directory", path);
  }
}

function failure(text: string, path: string): Error {
  return Object.assign(new Error(`${text} '/bin${path}'`), { code: /^[A-Z]+/.exec(text)?.[0] });
}

async function refuse(path: string): Promise<never> {
  throw failure("EROFS: read-only file system", path);
}
