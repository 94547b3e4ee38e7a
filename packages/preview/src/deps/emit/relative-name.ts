/** How the module `from` imports the module `to`. */
export function relativeName(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const names = to.split("/");
  let shared = 0;
  while (shared < folders.length && shared < names.length - 1 && folders[shared] === names[shared]) shared += 1;
  const up = "../".repeat(folders.length - shared);
  return `${up === "" ? "./" : up}${names.slice(shared).join("/")}`;
}
