/** A format of `printf`: text, and places for arguments. */
export interface Format {
  readonly source: string;
  readonly parts: readonly (string | FormatPlace)[];
}

interface FormatPlace {
  /** The number of the argument, where it is given. */
  readonly position: string;
  readonly flags: string;
  readonly width: string;
  readonly dot: string | undefined;
  readonly kind: string;
}

const PLACE = /%(?:(\d+)\$)?([-+ #0']*)(\*(?:\d+\$)?|\d+)?(?:\.(\*(?:\d+\$)?|-?\d*))?[hlLqjzt]*([\s\S]?)/gy;
const CONVERSIONS = "diouxXcseEfFgGaA";

/** What is no conversion is text. */
export function parseFormat(source: string): Format {
  const parts: (string | FormatPlace)[] = [];
  for (let at = 0; at < source.length;) {
    const start = source.indexOf("%", at);
    if (start === -1) {
      parts.push(source.slice(at));
      break;
    }
    if (start > at) parts.push(source.slice(at, start));
    PLACE.lastIndex = start;
    const [text = "%", position = "", flags = "", width = "", dot, kind = ""] = PLACE.exec(source) ?? [];
    at = start + text.length;
    if (kind === "%") parts.push("%");
    else if (kind === "" || !CONVERSIONS.includes(kind)) parts.push(text);
    else parts.push({ position, flags, width, dot, kind });
  }
  return { source, parts };
}

/** Reads a format again only when it is another one. */
export function keptFormat(): (source: string) => Format {
  let last = parseFormat("");
  return (source) => {
    if (source !== last.source) last = parseFormat(source);
    return last;
  };
}
