import type { EgressResponse } from "@tenrec/protocol";

/** The headers of an answer as curl shows them, and those of each redirect before it. */
export function headerText({ status, statusText, headers, redirects }: EgressResponse): string {
  return [...redirects, { status, statusText, headers }].map(oneHead).join("");
}

// Which version of HTTP was spoken is not known here.
function oneHead({ status, statusText, headers }: Pick<EgressResponse, "status" | "statusText" | "headers">): string {
  const lines = Array.from(headers, ([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${statusText}`, ...lines, "", ""].join("\r\n");
}
