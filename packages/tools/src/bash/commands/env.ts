import type { ShellCommand } from "../shell-command.ts";

/** In front of just-bash's, which does not hand the variables on to a shell that it starts. */
export const env: ShellCommand = {
  name: "env",
  callsOriginal: true,
  callsOthers: true,
  async run(args, { exec, original, stdin }) {
    const settings: string[] = [];
    const removed: string[] = [];
    const rest = [...args];
    for (let arg = rest[0]; arg !== undefined; arg = rest[0]) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg) ?? [];
      if (name !== undefined) settings.push(`${name}=${quote(value ?? "")}`);
      else if (arg === "-u" && rest[1] !== undefined) removed.push(rest.splice(1, 1)[0] ?? "");
      else if (/^(--unset=|-u.)/.test(arg)) removed.push(arg.replace(/^(--unset=|-u)/, ""));
      else if (arg !== "--") break;
      rest.shift();
    }
    // The rest knows it well: what is printed, and an environment that is empty.
    if (rest.length === 0 || rest[0]?.startsWith("-")) return original(args);
    const unset = removed.length > 0 ? `unset ${removed.map(quote).join(" ")}\n` : "";
    return exec(["bash", "-c", unset + [...settings, ...rest.map(quote)].join(" ")], stdin.bytes());
  },
};

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
