// What pnpm and npm do by themselves, and so need no script.
const builtIn = new Set(["install", "i", "ci", "add", "exec", "dlx", "create", "init", "login", "publish", "why"]);

/** The scripts that a text tells a reader to run, such as `test` for `npm test -- edit`. */
export function findCommands(text: string): string[] {
  const code = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
    ([, block, span]) => block ?? span ?? "",
  );
  const lines = code.flatMap((part) => part.split("\n"));
  const names = lines.flatMap((line) => {
    const words = /^\s*(?:\$ )?(?:npm|pnpm) (run )?(?:--?[\w-]+ )*([\w:-]+)/.exec(line);
    const name = words?.[2];
    return name && (words[1] || !builtIn.has(name)) ? [name] : [];
  });
  return [...new Set(names)];
}
