import { compilePattern, compileText } from "./compile-word.ts";
import type { NodeOf } from "./nodes.ts";
import { matchesWhole } from "./pattern.ts";
import type { Scope } from "./scope.ts";
import type { Code } from "./shell-state.ts";

export function compileCase({ word, items }: NodeOf<"Case">, scope: Scope): Code {
  const text = compileText(word, scope);
  const compiled = items.map(({ patterns, body, terminator }) => ({
    patterns: patterns.map((pattern) => compilePattern(pattern, scope)),
    body: scope.compile.list(body, scope),
    terminator,
  }));
  return async (shell) => {
    const value = await text(shell);
    let status = 0;
    let goesOn = false;
    for (const { patterns, body, terminator } of compiled) {
      let isMatch = goesOn;
      for (const pattern of patterns) isMatch ||= matchesWhole(await pattern(shell), value);
      if (!isMatch) continue;
      status = await body(shell);
      if (shell.leave || terminator === ";;") break;
      goesOn = terminator === ";&";
    }
    return status;
  };
}
