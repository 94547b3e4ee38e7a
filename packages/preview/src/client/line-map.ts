/** A comment with the source map of code whose lines are those of its source. */
export function lineMapComment(name: string, source: string, code: string): string {
  const lines = code.split("\n").length;
  // The first line begins both; each further one is one line further in both.
  return mapComment(name, source, `AAAA${";AACA".repeat(lines - 1)}`);
}

/** A comment with a source map of one source. */
export function mapComment(name: string, source: string, mappings: string): string {
  const map = { version: 3, sources: [`/${name}`], sourcesContent: [source], mappings };
  const bytes = new TextEncoder().encode(JSON.stringify(map));
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return `\n//# sourceMappingURL=data:application/json;base64,${btoa(binary)}\n`;
}
