import type { EgressResponse } from "@tenrec/protocol";

/** What `--write-out` can tell about a transfer. */
export interface TransferReport {
  readonly url: string;
  readonly method: string;
  readonly response?: EgressResponse;
  readonly downloaded: number;
  readonly uploaded: number;
  readonly seconds: number;
  readonly exitCode: number;
  readonly errorMessage: string;
  readonly file?: string;
  readonly retries: number;
}

const VARIABLES: Readonly<Record<string, (report: TransferReport) => string | number>> = {
  content_type: ({ response }) => response?.headers.get("content-type") ?? "",
  errormsg: ({ errorMessage }) => errorMessage,
  exitcode: ({ exitCode }) => exitCode,
  filename_effective: ({ file }) => file ?? "",
  http_code: ({ response }) => String(response?.status ?? 0).padStart(3, "0"),
  http_version: ({ response }) => (response ? "1.1" : "0"),
  method: ({ method }) => method,
  num_redirects: ({ response }) => response?.redirects.length ?? 0,
  num_retries: ({ retries }) => retries,
  redirect_url: ({ response }) => redirectUrl(response),
  response_code: ({ response }) => String(response?.status ?? 0).padStart(3, "0"),
  scheme: ({ response, url }) => (response?.url ?? url).split(":")[0] ?? "",
  size_download: ({ downloaded }) => downloaded,
  size_upload: ({ uploaded }) => uploaded,
  speed_download: ({ downloaded, seconds }) => Math.round(downloaded / Math.max(seconds, 0.001)),
  time_total: ({ seconds }) => seconds.toFixed(6),
  url: ({ url }) => url,
  url_effective: ({ response, url }) => response?.url ?? url,
};

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** The text of a `--write-out` format. */
export function writeOut(format: string, report: TransferReport): string {
  return format.replace(
    /%%|%\{([\w-]+)\}|%header\{([^}]*)\}|\\([nrt])/g,
    (whole, variable: string | undefined, header: string | undefined, escape: string | undefined) => {
      if (escape !== undefined) return ESCAPES[escape] ?? whole;
      if (header !== undefined) return report.response?.headers.get(header.trim()) ?? "";
      if (variable === undefined) return "%";
      const tell = Object.hasOwn(VARIABLES, variable) ? VARIABLES[variable] : undefined;
      // Times that cannot be told apart here have passed at once.
      if (!tell) return variable.startsWith("time_") ? "0.000000" : "";
      return String(tell(report));
    },
  );
}

function redirectUrl(response: EgressResponse | undefined): string {
  const location =
    response && response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
  return location !== null && location !== undefined && URL.canParse(location, response?.url)
    ? new URL(location, response?.url).href
    : "";
}
