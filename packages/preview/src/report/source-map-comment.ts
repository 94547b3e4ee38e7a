import { TraceMap } from "@jridgewell/trace-mapping";

/** The source map that a text has in its last comment; undefined for none that can be read. */
export function inlineMap(code: string): TraceMap | undefined {
  const url = mapUrl(code);
  try {
    return url?.startsWith("data:") ? new TraceMap(dataText(url)) : undefined;
  } catch {
    return undefined;
  }
}

/** What the last comment of a file names as its source map; undefined without one. */
export function mapUrl(code: string): string | undefined {
  const at = code.lastIndexOf(MAP_COMMENT);
  if (at === -1) return undefined;
  const [url, ...rest] = code
    .slice(at + MAP_COMMENT.length)
    .trim()
    .split(/\s+/, 3);
  return url !== undefined && (rest.length === 0 || rest[0] === "*/") ? url : undefined;
}

const MAP_COMMENT = "# sourceMappingURL=";

/** What a `data:` URL holds, as text. Throws for one that is none. */
export function dataText(url: string): string {
  const [, base64, data = ""] = /^data:[^,]*?(;base64)?,(.*)$/.exec(url) ?? [];
  if (base64 === undefined) return decodeURIComponent(data);
  return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
}
