import type { GitIgnoreRule } from "@tenrec/protocol";
import { childrenOf } from "../overlay/children.ts";
import { contentOf } from "../overlay/read.ts";
import type { OverlayEntry } from "../overlay/state.ts";
import { ignoreRule, type IgnoreRules, parseIgnoreFile } from "../search/glob/ignore-rules.ts";
import { breathe, type GitContext } from "./context.ts";
import { requireRepository } from "./refs.ts";

const decoder = new TextDecoder();

/** The rule that says most about a path, whether or not there is anything: of a folder above it, or of itself. */
export async function ignoredBy(context: GitContext, path: string): Promise<GitIgnoreRule | undefined> {
  requireRepository(context);
  const names = path.split("/").filter(Boolean);
  const files: IgnoreRules[] = [];
  const texts = new Map<string, string>();
  let entry: OverlayEntry | undefined = context.state.root;
  let last: GitIgnoreRule | undefined;
  for (const [at, name] of names.entries()) {
    await breathe(context);
    const children: ReturnType<typeof childrenOf> =
      entry?.kind === "directory" ? childrenOf(context.state.nodes, entry) : [];
    const folder = names
      .slice(0, at)
      .map((each) => `${each}/`)
      .join("");
    const rules = children.find(([each]) => each === ".gitignore")?.[1];
    if (rules?.kind === "file") {
      const text = decoder.decode(await contentOf(context.state, rules, `/${folder}.gitignore`));
      texts.set(`/${folder}.gitignore`, text);
      files.push(parseIgnoreFile(`/${folder}`, text));
    }
    entry = children.find(([each]) => each === name)?.[1];
    const isDirectory = at < names.length - 1 || path.endsWith("/") || entry?.kind === "directory";
    const found = ignoreRule([files], `/${folder}${name}`, name, isDirectory);
    if (!found) continue;
    const { says, rule, file } = found;
    last = { file, line: lineOf(texts.get(file) ?? "", rule), rule, isIgnored: says === "ignore" };
    // Nothing in an ignored folder is taken back.
    if (last.isIgnored) return last;
  }
  return last;
}

/** The last line that is that rule. */
function lineOf(text: string, rule: string): number {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  return lines.findLastIndex((line) => line.replace(/\r$/, "").trimEnd() === rule.trimEnd()) + 1;
}
