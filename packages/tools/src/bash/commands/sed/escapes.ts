const CONTROLS: Readonly<Record<string, string>> = { a: "\x07", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** What `\n`, `\t`, `\x41`, `\o101`, `\d065` and `\cA` stand for, where they are at `at`, behind the backslash. */
export function characterAt(text: string, at: number): { readonly char: string; readonly length: number } | undefined {
  const letter = text.charAt(at);
  const control = CONTROLS[letter];
  if (control !== undefined) return { char: control, length: 1 };
  const code = /^(?:x([\da-fA-F]{1,2})|o([0-7]{1,3})|d(\d{3})|c([@-_a-z]))/.exec(text.slice(at, at + 4));
  if (!code) return undefined;
  const [whole, hex, octal, decimal, key] = code;
  if (key !== undefined) return { char: String.fromCharCode(key.toUpperCase().charCodeAt(0) ^ 64), length: 2 };
  const value = Number.parseInt(hex ?? octal ?? decimal ?? "", hex === undefined ? (octal === undefined ? 10 : 8) : 16);
  return { char: String.fromCharCode(value & 0xff), length: whole.length };
}

/** A pattern with characters in place of what stands for them. One that has a meaning in patterns is given as itself. */
export function withCharacters(pattern: string): string {
  let out = "";
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char !== "\\") {
      out += char;
      continue;
    }
    const found = characterAt(pattern, at + 1);
    if (!found) out += char + pattern.charAt(at + 1);
    else if (/[*.[\]+?(){}|]/.test(found.char)) out += `[${found.char}]`;
    else out += /[\\^$]/.test(found.char) ? `\\${found.char}` : found.char;
    at += found?.length ?? 1;
  }
  return out;
}
