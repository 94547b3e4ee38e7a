import type { CacheShare, PromptBlock } from "../script/estimate-usage.ts";
import { hash } from "../script/hash.ts";

/** A provider's prompt cache: what earlier requests asked to keep, by the hash of everything up to there. */
export interface PrefixCache {
  /** How much of a prompt is there, and how much it asks to add. */
  look(model: string, blocks: readonly PromptBlock[]): CacheShare;
  /** Keeps what is marked. For requests that are answered. */
  keep(model: string, blocks: readonly PromptBlock[]): void;
}

/** How far back from a mark an entry is looked for, in blocks; Anthropic's figure. */
const LOOK_BACK = 20;

/**
 * A cache without a lifetime, and without a smallest size. An entry is found only when everything before it is the same, and
 * only within 20 blocks before a mark of this request.
 */
export function prefixCache(): PrefixCache {
  const kept = new Set<string>();
  return {
    look(model, blocks) {
      let read = 0;
      let written = 0;
      let sent = 0;
      const entries = prefixes(model, blocks).map((prefix, index) => {
        sent += blocks[index]?.tokens ?? 0;
        return { found: kept.has(prefix), sent };
      });
      for (const [index, block] of blocks.entries()) {
        if (!block.marked) continue;
        written = entries[index]?.sent ?? 0;
        const near = entries.slice(Math.max(0, index + 1 - LOOK_BACK), index + 1);
        read = Math.max(read, near.findLast(({ found }) => found)?.sent ?? 0);
      }
      return { sent, read, write: Math.max(0, written - read) };
    },
    keep(model, blocks) {
      for (const [index, prefix] of prefixes(model, blocks).entries()) if (blocks[index]?.marked) kept.add(prefix);
    },
  };
}

function prefixes(model: string, blocks: readonly PromptBlock[]): readonly string[] {
  let before = model;
  return blocks.map((block) => (before = hash(`${before}\n${block.key}`)));
}
