import { joinBytes } from "../read-body.ts";
import { CurlError } from "./curl-error.ts";
import type { CurlOptions } from "./curl-options.ts";
import type { CurlOutput, CurlPort } from "./curl-port.ts";
import { headerText } from "./header-text.ts";
import { outputFile } from "./output-file.ts";
import { parseCurl } from "./parse-curl.ts";
import { requestBody } from "./request-body.ts";
import { type CurlRequest, requestOf, VERSION_TEXT } from "./request-of.ts";
import { type Transferred, transfer } from "./transfer.ts";
import { type TransferReport, writeOut } from "./write-out.ts";

const USAGE = `Usage: curl [options...] <url>
 -X, --request <method>   -H, --header <line>     -d, --data <data>       --data-raw, --data-binary, --data-urlencode
     --json <data>        -F, --form <name=value> -T, --upload-file <f>   -G, --get
 -o, --output <file>      -O, --remote-name       -L, --location          -i, --include   -I, --head
 -s, --silent             -S, --show-error        -f, --fail              -w, --write-out <format>
 -u, --user <name:pass>   -b, --cookie <data>     -A, --user-agent <name> -m, --max-time <seconds>  --retry <num>
`;

/**
 * Runs curl: the answers on stdout or in files, problems on stderr, and curl's own exit codes. Only http and https, and only
 * what the way out allows; there is no progress meter. Throws `approval-required`, and `signal.reason` on abort.
 */
export async function runCurl(args: readonly string[], port: CurlPort): Promise<CurlOutput> {
  const run = new CurlRun(port);
  let options: CurlOptions;
  try {
    options = parseCurl(args);
  } catch (error) {
    return run.fail(error, undefined);
  }
  if (options.flags.has("version")) return run.end(VERSION_TEXT);
  if (options.flags.has("help")) return run.end(USAGE);
  if (options.urls.length === 0)
    return run.fail(new CurlError(2, "no URL specified\ncurl: try 'curl --help' for more information"), options);
  return run.all(options);
}

/** What is known of a transfer, as far as it came. */
interface Told {
  request: CurlRequest;
  done?: Transferred;
  file?: string | undefined;
  failure?: CurlError;
}

function reportOf({ request, done, file, failure }: Told, ms: number): TransferReport {
  return {
    url: request.url,
    method: request.method,
    downloaded: done?.bytes.byteLength ?? 0,
    uploaded: request.body?.byteLength ?? 0,
    seconds: ms / 1000,
    exitCode: failure?.exitCode ?? 0,
    errorMessage: failure?.message ?? "",
    retries: done?.retries ?? 0,
    ...(done ? { response: done.response } : {}),
    ...(file === undefined ? {} : { file }),
  };
}

class CurlRun {
  readonly #port: CurlPort;
  readonly #stdout: Uint8Array[] = [];
  #stderr = "";
  #exitCode = 0;

  constructor(port: CurlPort) {
    this.#port = port;
  }

  end(text = ""): CurlOutput {
    this.#print(text);
    return { stdout: joinBytes(this.#stdout), stderr: this.#stderr, exitCode: this.#exitCode };
  }

  fail(error: unknown, options: CurlOptions | undefined): CurlOutput {
    this.#report(error, options);
    return this.end();
  }

  /** One URL after another; how the last one ended is how all did. */
  async all(options: CurlOptions): Promise<CurlOutput> {
    if (options.flags.has("insecure")) this.#stderr += "curl: note: certificates are always checked in this shell\n";
    for (const [nth, url] of options.urls.entries()) {
      this.#exitCode = 0;
      await this.#one(options, nth, url);
      if (this.#exitCode !== 0 && options.flags.has("fail-early")) break;
    }
    return this.end();
  }

  async #one(options: CurlOptions, nth: number, url: string): Promise<void> {
    const started = this.#port.now();
    const told: Told = { request: { url, method: "GET", headers: {} } };
    try {
      await this.#transfer(options, nth, url, told);
    } catch (error) {
      if (!(error instanceof CurlError)) throw error;
      told.failure = error;
      this.#report(error, options);
    }
    const format = options.values.get("write-out");
    if (format !== undefined)
      this.#print(writeOut(await this.#formatOf(format), reportOf(told, this.#port.now() - started)));
  }

  async #transfer(options: CurlOptions, nth: number, url: string, told: Told): Promise<void> {
    told.request = await requestOf(options, url, await requestBody(options, this.#port), this.#port);
    if (options.flags.has("verbose")) this.#tellRequest(told.request);
    told.done = await transfer(options, told.request, this.#port);
    told.file = outputFile(options, nth, told.request.url, told.done.response);
    await this.#deliver(options, told.done, told.file);
  }

  async #deliver(options: CurlOptions, { response, bytes }: Transferred, file: string | undefined): Promise<void> {
    const { flags, values } = options;
    const head = headerText(response);
    if (flags.has("verbose")) this.#stderr += head.replace(/^/gm, "< ").replace(/< $/, "");
    const dump = values.get("dump-header");
    if (dump === "-") this.#print(head);
    else if (dump !== undefined) await this.#write(dump, new TextEncoder().encode(head), false);
    const isFailed = response.status >= 400 && (flags.has("fail") || flags.has("fail-with-body"));
    const failure = new CurlError(22, `The requested URL returned error: ${response.status}`);
    if (isFailed && !flags.has("fail-with-body")) throw failure;
    const withHead = flags.has("include") || flags.has("head");
    const all = withHead ? joinBytes([new TextEncoder().encode(head), bytes]) : bytes;
    if (file === undefined) this.#stdout.push(all);
    else await this.#write(file, all, flags.has("create-dirs"));
    if (isFailed) throw failure;
  }

  async #write(path: string, bytes: Uint8Array, withFolders: boolean): Promise<void> {
    try {
      await this.#port.writeFile(path, bytes, withFolders);
    } catch (error) {
      this.#port.signal.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      throw new CurlError(23, `Failure writing output to ${path}: ${reason}`);
    }
  }

  async #formatOf(format: string): Promise<string> {
    if (!format.startsWith("@")) return format;
    const path = format.slice(1);
    return new TextDecoder().decode(path === "-" ? this.#port.readStdin() : await this.#port.readFile(path));
  }

  #tellRequest({ url, method, headers }: CurlRequest): void {
    const { pathname, search, host } = new URL(url);
    const shown = Object.entries(headers).map(([name, value]) => `> ${name}: ${value}\n`);
    this.#stderr += `> ${method} ${pathname}${search} HTTP/1.1\n> host: ${host}\n${shown.join("")}>\n`;
  }

  #report(error: unknown, options: CurlOptions | undefined): void {
    if (!(error instanceof CurlError)) throw error;
    this.#exitCode = error.exitCode;
    const isQuiet = options?.flags.has("silent") && !options.flags.has("show-error");
    const code = error.exitCode === 2 ? "" : `(${error.exitCode}) `;
    if (!isQuiet) this.#stderr += `curl: ${code}${error.message}\n`;
  }

  #print(text: string): void {
    this.#stdout.push(new TextEncoder().encode(text));
  }
}
