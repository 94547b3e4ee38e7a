import { LIMITS } from "../limits.ts";
import { compileText } from "./compile-word.ts";
import { overLimit } from "./endings.ts";
import { Input } from "./input.ts";
import type { Redirection, WordPart } from "./nodes.ts";
import type { Scope } from "./scope.ts";
import type { Shell } from "./shell-state.ts";

type HereDocument = Extract<Redirection["target"], { type: "HereDoc" }>;

/** `<<` and `<<-`: what is between the lines becomes the input. */
export function hereDocument(document: HereDocument, scope: Scope): (shell: Shell) => Promise<undefined> {
  const parts = document.stripTabs ? withoutTabs(document.content.parts) : document.content.parts;
  const text = compileText({ type: "Word", parts: [...parts] }, scope);
  return async (shell) => {
    const content = await text(shell);
    const max = LIMITS.maxHeredocSize ?? 0;
    if (content.length > max) throw overLimit(`here-document size limit exceeded (${max} bytes)`);
    shell.stdin = new Input([content]);
    return undefined;
  };
}

/** Tabs at the beginning of lines; those that something expands to stay. */
function withoutTabs(parts: readonly WordPart[]): WordPart[] {
  return parts.map((part, at) => {
    if (part.type !== "Literal") return part;
    const value = part.value.replace(/\n\t+/g, "\n");
    return { ...part, value: at === 0 ? value.replace(/^\t+/, "") : value };
  });
}
