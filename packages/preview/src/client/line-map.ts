/** A comment with the source map of code whose lines are those of its source. */
export function lineMapComment(name: string, source: string, code: string): string {
  const lines = code.split("\n").length;
  // The first line begins both; each further one is one line further in both.
  const mappings = `AAAA${";AACA".repeat(lines - 1)}`;
  const map = { version: 3, sources: [`/${name}`], sourcesContent: [source], mappings };
  const bytes = new TextEncoder().encode(JSON.stringify(map));
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `\n//# sourceMappingURL=data:application/json;base64,${btoa(binary)}\n`;
}
