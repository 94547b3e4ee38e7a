import { measureCase } from "../../frame/measure-case.ts";
import type { Case, VfsContext } from "../context.ts";
import { hostileFiles } from "../corpus/derived-trees.ts";
import { folderWith } from "../corpus/folder-tree.ts";
import { type NamedPattern, PATTERNS } from "../patterns.ts";
import { importInto } from "../trees.ts";

const OBJECT = "hostile";
const LIMIT_MS = 1000;
/** After this a search counts as one that does not end. */
const TIMEOUT_MS = 30_000;

/** Patterns and text on which a search by trying all ways does not end. The peers are such searches: they are not asked. */
export const grepHostileCase: Case = { name: "grep-hostile", run: grepHostile };

async function grepHostile(context: VfsContext): Promise<void> {
  const { report, trees, tenrec, cache } = context;
  const files = [...trees.parts("1x").flat(), ...hostileFiles()];
  await importInto(OBJECT, [files], [tenrec]);
  const folder = await folderWith(cache, `${trees.name}-hostile`, files);
  report.say("    shell and computer: left out, they run any pattern as a native expression and would hang");
  for (const pattern of PATTERNS.hostile) await grepPattern(context, folder, pattern);
}

async function grepPattern(context: VfsContext, folder: string, named: NamedPattern): Promise<void> {
  const { report, tenrec, ripgrep } = context;
  const name = `grep-hostile/${named.name}`;
  const query = { pattern: named.pattern, regex: true, ignoreCase: named.flags === "i" };
  report.say(`  ${name}`);
  const ask = async (full: boolean): Promise<string | undefined> => {
    try {
      return await tenrec.post(OBJECT, "grep", query, { full, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      // To refuse a pattern in time is an answer too.
      if (error instanceof Error && error.message.includes("EINVAL:")) return undefined;
      throw error;
    }
  };
  try {
    const theirs = ripgrep.answer(folder, query);
    const ours = await ask(true);
    if (ours === undefined)
      report.say(`    tenrec: refuses this pattern${theirs === undefined ? ", as ripgrep does" : ""}`);
    else if (theirs !== undefined && ours !== theirs) report.fail(`${name}: ripgrep has another answer than Tenrec`);
    const contestant = { subject: "tenrec", way: tenrec.way, run: async () => void (await ask(false)) };
    await measureCase(context, name, [contestant], { runs: 3, atLeast: 1, budgetMs: LIMIT_MS });
    report.expectAtMost(name, LIMIT_MS, "ms");
  } catch (error) {
    report.fail(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    await tenrec.restart();
  }
}
