import { joinBytes } from "../read-body.ts";
import { CurlError } from "./curl-error.ts";
import type { CurlOptions, DataPart } from "./curl-options.ts";
import type { CurlPort } from "./curl-port.ts";
import { type FormPart, multipartBody, typeOfName } from "./multipart.ts";
import { encodeFormText } from "./parse-curl.ts";

export interface RequestBody {
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

const encoder: TextEncoder = new TextEncoder();

/** What is sent, from `-d`, `-F` or `-T`; undefined when nothing is. Throws `CurlError` for a file that cannot be read. */
export async function requestBody(options: CurlOptions, port: CurlPort): Promise<RequestBody | undefined> {
  const upload = options.values.get("upload-file");
  if (upload !== undefined) return { bytes: await readInput(port, upload, "upload-file") };
  if (options.forms.length > 0)
    return multipartBody(await Promise.all(options.forms.map((form) => formPart(form, port))));
  if (options.data.length === 0) return undefined;
  const isJson = options.flags.has("json");
  const parts = await Promise.all(options.data.map((part) => bytesOf(part, port)));
  const joined = isJson ? parts : parts.flatMap((part, at) => (at === 0 ? [part] : [encoder.encode("&"), part]));
  return {
    bytes: joinBytes(joined),
    contentType: isJson ? "application/json" : "application/x-www-form-urlencoded",
  };
}

async function bytesOf(part: DataPart, port: CurlPort): Promise<Uint8Array> {
  if ("text" in part) return encoder.encode(part.text);
  const bytes = await readInput(port, part.file, "data");
  if (part.as === "binary") return bytes;
  // curl takes out line ends and zeros, so that a file made with an editor is one value.
  if (part.as === "stripped") return bytes.filter((byte) => byte !== 10 && byte !== 13 && byte !== 0);
  const text = encodeFormText(new TextDecoder().decode(bytes));
  return encoder.encode(part.name === undefined ? text : `${part.name}=${text}`);
}

export async function readInput(port: CurlPort, path: string, option: string): Promise<Uint8Array> {
  if (path === "-" || path === ".") return port.readStdin();
  try {
    return await port.readFile(path);
  } catch {
    throw new CurlError(26, `Failed to open/read local data from file/application (--${option}: ${path})`);
  }
}

/** `name=text`, `name=@file` or `name=<file`, with `;type=` and `;filename=` after it. */
async function formPart(form: string, port: CurlPort): Promise<FormPart> {
  const [, name, value = ""] = /^([^=]+)=(.*)$/s.exec(form) ?? [];
  if (name === undefined) throw new CurlError(2, `Illegally formatted input field: ${form}`);
  const [, sign, path = "", parameters = ""] = /^([@<])([^;]*)(.*)$/s.exec(value) ?? [];
  if (sign === undefined) return textPart(name, value);
  const bytes = await readInput(port, path, "form");
  const type = /;type=([^;]*)/.exec(parameters)?.[1];
  if (sign === "<") return { name, bytes, ...(type === undefined ? {} : { contentType: type }) };
  const filename = /;filename="?([^;"]*)/.exec(parameters)?.[1] ?? path.slice(path.lastIndexOf("/") + 1);
  return { name, bytes, filename, contentType: type ?? typeOfName(filename) };
}

function textPart(name: string, value: string): FormPart {
  // The zero is what `--form-string` has in front, so that its text is nothing but text.
  if (value.startsWith("\0")) return { name, bytes: encoder.encode(value.slice(1)) };
  const [, text = value, type] = /^(.*?)(?:;type=([^;]*))?$/s.exec(value) ?? [];
  return { name, bytes: encoder.encode(text), ...(type === undefined ? {} : { contentType: type }) };
}
