import { joinBytes } from "../read-body.ts";

export interface FormPart {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

export interface MultipartBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** What a file's name says of its type, as curl has it. */
const TYPES: Readonly<Record<string, string>> = {
  gif: "image/gif",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain",
  htm: "text/html",
  html: "text/html",
  pdf: "application/pdf",
  xml: "application/xml",
};

/** The type that is told of a file. */
export function typeOfName(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? "") : "application/octet-stream";
}

/** A form as it travels, every byte of its parts kept: the platform's own would change line ends in them. */
export function multipartBody(parts: readonly FormPart[]): MultipartBody {
  const boundary = freeBoundary(parts);
  const encoder = new TextEncoder();
  const pieces = parts.flatMap(({ name, bytes, filename, contentType }) => {
    const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
    const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}\r\n`;
    return [encoder.encode(head), bytes, encoder.encode("\r\n")];
  });
  const bytes = joinBytes([...pieces, encoder.encode(`--${boundary}--\r\n`)]);
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

function quoted(text: string): string {
  return text.replace(/["\r\n]/g, (char) => encodeURIComponent(char));
}

/** One that is in none of the parts, the same for the same parts. */
function freeBoundary(parts: readonly FormPart[]): string {
  const texts = parts.map(({ bytes }) => new TextDecoder("latin1").decode(bytes));
  for (let n = 0; ; n += 1) {
    const boundary = `------------------------${String(n).padStart(16, "0")}`;
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}
