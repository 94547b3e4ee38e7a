/** Whether a name is what a glob with `*`, `?`, `[a-z]` and `\` says; in time of their product, whatever the glob. */
export function globMatch(glob: string, name: string): boolean {
  const parts = partsOf(glob);
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    const part = parts[place];
    if (part === "*") {
      star = place++;
      mark = at;
    } else if (part !== undefined && matchesOne(part, name.charAt(at))) {
      at++;
      place++;
    } else if (star !== -1) {
      place = star + 1;
      at = ++mark;
    } else return false;
  }
  while (parts[place] === "*") place++;
  return place === parts.length;
}

function partsOf(glob: string): readonly string[] {
  return glob.match(/\\[^]|\[[!^]?\]?[^\][]*\]|[^]/g) ?? [];
}

function matchesOne(part: string, char: string): boolean {
  if (part === "?") return true;
  if (part.length === 1) return part === char;
  if (part.startsWith("\\")) return part.charAt(1) === char;
  const isNot = /^\[[!^]/.test(part);
  const ranges = part.slice(isNot ? 2 : 1, -1).match(/[^]-[^]|[^]/g) ?? [];
  return ranges.some((range) => range.charAt(0) <= char && char <= range.charAt(range.length - 1)) !== isNot;
}
