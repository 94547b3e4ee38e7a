import type { TreeFile } from "./source-files.ts";

const encoder = new TextEncoder();

/** One of the copies that make the tenfold tree. Its files end in a line of their own, so that no two copies share a content. */
export function copyOfTree(files: readonly TreeFile[], number: number): TreeFile[] {
  const line = encoder.encode(`\n// copy ${number}\n`);
  return files.map(({ path, bytes }) => {
    const own = new Uint8Array(bytes.length + line.length);
    own.set(bytes);
    own.set(line, bytes.length);
    return { path: `copy-${number}/${path}`, bytes: own };
  });
}

/** Some files out of all parts of a tree. */
export function everyNth(files: readonly TreeFile[], step: number): TreeFile[] {
  return files.filter((_, index) => index % step === 0);
}

/** The path of a file of the generated tree. */
export function generatedPath(index: number): string {
  return `part-${Math.floor(index / 1000)}/folder-${Math.floor(index / 50) % 20}/file-${index}.ts`;
}

/** Small files, a thousand to a part, fifty to a folder. */
export function generatedFiles(from: number, to: number): TreeFile[] {
  return Array.from({ length: to - from }, (_, offset) => {
    const index = from + offset;
    const bytes = encoder.encode(`export const id = ${index};\n`.repeat(4));
    return { path: generatedPath(index), bytes };
  });
}

/** Text on which a search that tries all ways would not end: repetitions that nearly match, in long lines and short ones. */
export function hostileFiles(): TreeFile[] {
  const text: Record<string, string> = {
    "a.txt": `${"a".repeat(200_000)}!\n`,
    "a-lines.txt": `${"a".repeat(40)}!\n`.repeat(4000),
    "spaces.txt": `${" ".repeat(200_000)}x\n`,
    "space-lines.txt": `${" \t".repeat(60)}x\n`.repeat(2000),
    "words.txt": `${"word ".repeat(40_000)}\n`,
    "letters.txt": `${"abcdefghij".repeat(20_000)}1234\n`,
    "mails.txt": `${"a.b-c_d".repeat(30)}@\n`.repeat(2000),
  };
  return Object.entries(text).map(([name, content]) => ({ path: `hostile/${name}`, bytes: encoder.encode(content) }));
}

/** Files in an order that only looks random, the same in every run. */
export function shuffled<T>(items: readonly T[]): T[] {
  let state = 12345;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return { item, key: state };
  });
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
