/** The name of a file's module: its path without the leading slash, which is what a stack trace shows. */
export function moduleName(path: string): string {
  return path.replace(/^\/+/, "");
}

/** What a module must write to import another one, both by name. */
export function relativeName(from: string, to: string): string {
  const left = from.split("/").slice(0, -1);
  const right = to.split("/");
  let same = 0;
  while (same < left.length && same < right.length - 1 && left[same] === right[same]) same += 1;
  const up = left.length - same;
  return (up === 0 ? "./" : "../".repeat(up)) + right.slice(same).join("/");
}
