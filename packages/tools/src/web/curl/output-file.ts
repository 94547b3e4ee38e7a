import type { EgressResponse } from "@tenrec/protocol";
import { CurlError } from "./curl-error.ts";
import type { CurlOptions } from "./curl-options.ts";

/** Where the answer for the `nth` URL goes; undefined is the standard output. Throws `CurlError` for a URL without a name. */
export function outputFile(
  options: CurlOptions,
  nth: number,
  url: string,
  response: EgressResponse,
): string | undefined {
  const { outputs, flags, values } = options;
  const isNamed = nth < outputs.length;
  if (!isNamed && !flags.has("remote-name-all")) return undefined;
  const name = outputs[nth] ?? remoteName(url, flags.has("remote-header-name") ? response : undefined);
  if (name === "-" || name === "/dev/stdout") return undefined;
  const folder = values.get("output-dir");
  return folder === undefined ? name : `${folder.replace(/\/$/, "")}/${name}`;
}

/** The last part of the URL's path, or of the name that the server gives it: never a path. */
function remoteName(url: string, response: EgressResponse | undefined): string {
  const disposition = response?.headers.get("content-disposition") ?? "";
  const given = /filename\s*=\s*"?([^";]+)/i.exec(disposition)?.[1] ?? "";
  const name = lastPart(given) || lastPart(new URL(url).pathname);
  if (name === "") throw new CurlError(23, `Remote file name has no length: ${url}; name the file with -o`);
  return name;
}

function lastPart(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return name === "." || name === ".." ? "" : name;
}
