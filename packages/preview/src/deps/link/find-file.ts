const ENDINGS = ["", ".js", ".mjs", ".cjs", ".json", ".jsx", ".ts", ".tsx", ".mts", ".cts"] as const;

/**
 * The file that a path within a package means: itself, with an ending, or what a folder stands for. A `.js` may be a `.ts`.
 * `mainOf` tells what the `package.json` of a folder names. Undefined for none.
 */
export function findFile(
  has: (path: string) => boolean,
  path: string,
  mainOf: (folder: string) => string | undefined,
): string | undefined {
  const plain = normalize(path);
  if (plain === undefined) return undefined;
  const isFolder = /(?:^|\/)\.{0,2}$/.test(path);
  const found = isFolder ? undefined : withEnding(has, plain);
  if (found !== undefined) return found;
  const typescript = plain.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  if (typescript !== plain && has(typescript)) return typescript;
  const main = mainOf(plain);
  const prefix = plain === "" ? "" : `${plain}/`;
  const named = main === undefined ? undefined : normalize(`${prefix}${main}`);
  const ofMain = named === undefined ? undefined : (withEnding(has, named) ?? withEnding(has, `${named}/index`));
  return ofMain ?? withEnding(has, `${prefix}index`);
}

function withEnding(has: (path: string) => boolean, path: string): string | undefined {
  const ending = ENDINGS.find((one) => has(path + one));
  return ending === undefined ? undefined : path + ending;
}

/** Without `.` and `..`; undefined for what leads out. */
export function normalize(path: string): string | undefined {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") {
      if (names.pop() === undefined) return undefined;
    } else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}

export function folderOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}
