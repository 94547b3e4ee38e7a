/** A test of one name by a glob of the shell: `*`, `?`, and classes. */
export function nameTest(glob: string): (name: string) => boolean {
  const source = glob.replaceAll(/\[(!?)(\]?[^\]]*)\]|\\?[\s\S]/gu, (part, not?: string, members?: string) => {
    if (members !== undefined) return `[${not ? "^" : ""}${members.replaceAll(/[\\\]&[]/g, "\\$&")}]`;
    if (part === "*") return ".*";
    return part === "?"
      ? "."
      : `\\u{${(part.codePointAt(part.length > 1 && part.startsWith("\\") ? 1 : 0) ?? 0).toString(16)}}`;
  });
  const expression = new RegExp(`^${source.replaceAll(/(?:\.\*)+/g, ".*")}$`, "su");
  return (name) => expression.test(name);
}
