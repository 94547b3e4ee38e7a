import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Code blocks of a document that are complete modules, in order; not those that show a part of a folder. */
export function snippetsOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
  return blocks.filter((text) => !/from "\.\.?\//.test(text));
}

/** What a Worker's own types declare; `wrangler types` writes them. */
const GLOBALS = "interface Env extends Cloudflare.Env {}\n";

/** Writes the snippets of documents as a project that `tsc` can check, and returns its folder. */
export async function writeSnippets(root: string, documents: readonly string[]): Promise<string> {
  const folder = join(root, "test/.cache/snippets");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const document of documents) {
    const snippets = snippetsOf(await readFile(join(root, document), "utf8"));
    for (const [index, text] of snippets.entries()) {
      const name = `${document.replaceAll(/[/.]/g, "-")}-${index + 1}.ts`;
      await writeFile(join(folder, name), `${text}\nexport {};\n`);
    }
  }
  await writeFile(join(folder, "globals.d.ts"), GLOBALS);
  const compilerOptions = { incremental: false, types: ["node", "@cloudflare/workers-types", "vitest"], rootDir: root };
  const config = { extends: "../../../tsconfig.test.json", compilerOptions, include: ["*.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  return folder;
}
