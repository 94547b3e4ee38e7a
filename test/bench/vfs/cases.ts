import { commitOneCase } from "./cases/commit-one.ts";
import { forkCase } from "./cases/fork.ts";
import { globCase } from "./cases/glob.ts";
import { grepCases } from "./cases/grep.ts";
import { grepHostileCase } from "./cases/grep-hostile.ts";
import { grepRegexCase } from "./cases/grep-regex.ts";
import { importCase, importTenfoldCase } from "./cases/import.ts";
import { memoryCase } from "./cases/memory.ts";
import { readCase } from "./cases/read.ts";
import { writeCase } from "./cases/write.ts";
import type { Case } from "./context.ts";

/** In the order in which they run: reads and searches before what adds files to the tree that they look at. */
export const vfsCases: readonly Case[] = [
  importCase,
  ...grepCases("1x"),
  grepRegexCase("1x"),
  grepHostileCase,
  readCase("1x"),
  globCase("1x"),
  writeCase("1x"),
  commitOneCase,
  forkCase,
  importTenfoldCase,
  ...grepCases("10x"),
  grepRegexCase("10x"),
  readCase("10x"),
  globCase("10x"),
  memoryCase,
  writeCase("10x"),
];
