import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";

export type TextFiles = Readonly<Record<string, string>>;

const names = fc.constantFrom("a.ts", "b.js", "c.log", ".env", "README.md", "d");
const folders = fc.constantFrom("src", "build", ".hidden", "sub", "src/deep");
const paths = fc.tuple(fc.option(folders, { nil: "" }), names).map(([above, name]) => join(above, name));

const piece = fc.constantFrom(..."foo Foo FOO bar é É _ 1 - \t foo.bar (x) a|b foofoo foobar".split(" "), " ");
const line = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const ending = fc.constantFrom("\n", "\n", "\n", "\n", "\r\n", "\n\n");
const text = fc
  .array(fc.tuple(line, ending), { maxLength: 10 })
  .map((lines) => lines.map(([one, end]) => one + end).join(""))
  .chain((all) => fc.constantFrom(all, all, all, all.replace(/\n$/, ""), `${all}\0foo\n`));

/** Some files with text that patterns of tests are about; seldom one is binary. */
export const randomText: fc.Arbitrary<string> = text;
export const randomFiles: fc.Arbitrary<TextFiles> = fc
  .tuple(
    fc.dictionary(paths, text, { minKeys: 1, maxKeys: 7 }),
    fc.option(fc.constantFrom("*.log\n", "build/\n!a.ts\n"), { nil: "" }),
  )
  .map(([files, rules]) => (rules === "" ? files : { ...files, ".gitignore": rules }));

/** Writes them below a new folder in `parent`, which looks like a repository. */
export function writeFolder(parent: string, files: TextFiles): string {
  const root = mkdtempSync(join(parent, "tree-"));
  mkdirSync(join(root, ".git"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
