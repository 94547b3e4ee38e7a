/**
 * Whether a path is as the path of a rule says, and what its `:names` and its one `*` (as `splat`) stand for. A name stands for
 * text without a slash. In time linear to both.
 */
export function matchRule(rule: string, path: string): Readonly<Record<string, string>> | undefined {
  const star = rule.indexOf("*");
  const [before, after] = star === -1 ? [rule, undefined] : [rule.slice(0, star), rule.slice(star + 1)];
  const found: Record<string, string> = {};
  const end = matchStart(before, path, found);
  if (end === undefined) return undefined;
  if (after === undefined) return end === path.length ? found : undefined;
  if (path.length - end < after.length || !path.endsWith(after)) return undefined;
  return { ...found, splat: path.slice(end, path.length - after.length) };
}

/** Where in the path the pattern ends; undefined when it does not fit. */
function matchStart(pattern: string, path: string, found: Record<string, string>): number | undefined {
  let at = 0;
  for (const [part, name] of partsOf(pattern)) {
    if (!path.startsWith(part, at)) return undefined;
    at += part.length;
    if (name === undefined) continue;
    const slash = path.indexOf("/", at);
    const end = slash === -1 ? path.length : slash;
    if (end === at) return undefined;
    found[name] = path.slice(at, end);
    at = end;
  }
  return at;
}

/** Literal texts, each with the name that follows it. */
function partsOf(pattern: string): [text: string, name: string | undefined][] {
  const parts: [string, string | undefined][] = [];
  let at = 0;
  for (const match of pattern.matchAll(/:([A-Za-z]\w*)/g)) {
    parts.push([pattern.slice(at, match.index), match[1]]);
    at = match.index + match[0].length;
  }
  return [...parts, [pattern.slice(at), undefined]];
}

/** A text with what was found in place of its `:names`. */
export function fillIn(text: string, found: Readonly<Record<string, string>>): string {
  return text.replaceAll(/:([A-Za-z]\w*)/g, (whole, name: string) =>
    Object.hasOwn(found, name) ? (found[name] ?? "") : whole,
  );
}
