import { CurlError } from "./curl-error.ts";
import type { CurlOutput, CurlPort } from "./curl-port.ts";
import { runCurl } from "./run-curl.ts";

/** What wget's options are in curl's words. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  "no-check-certificate": ["-k"],
  "content-disposition": ["-J"],
  spider: ["-I"],
  S: ["-v"],
  "server-response": ["-v"],
  c: [],
  nc: [],
  N: [],
  nv: [],
  "no-verbose": [],
  "show-progress": [],
  "https-only": [],
  "no-cache": [],
};

const VALUES: Readonly<Record<string, (value: string) => readonly string[]>> = {
  U: (value) => ["-A", value],
  "user-agent": (value) => ["-A", value],
  header: (value) => ["-H", value],
  "post-data": (value) => ["--data-raw", value],
  "post-file": (value) => ["--data-binary", `@${value}`],
  "body-data": (value) => ["--data-raw", value],
  "body-file": (value) => ["--data-binary", `@${value}`],
  method: (value) => ["-X", value],
  referer: (value) => ["-e", value],
  T: (value) => ["-m", value],
  timeout: (value) => ["-m", value],
  t: (value) => ["--retry", String(Math.max(0, Number(value) - 1))],
  tries: (value) => ["--retry", String(Math.max(0, Number(value) - 1))],
  "max-redirect": (value) => ["--max-redirs", value],
  P: (value) => ["--output-dir", value, "--create-dirs"],
  "directory-prefix": (value) => ["--output-dir", value, "--create-dirs"],
};

/** curl's exit codes in wget's; the others are 1. */
const EXIT_CODES: Readonly<Record<number, number>> = {
  0: 0,
  2: 2,
  7: 4,
  9: 4,
  22: 8,
  23: 3,
  26: 3,
  28: 4,
  47: 8,
  63: 3,
};

interface WgetLine {
  readonly curl: string[];
  readonly urls: string[];
  output?: string;
  isQuiet: boolean;
}

/** Runs wget over the same way out as curl. Saves what it gets under its name, or with `-O`; `-O -` prints it. */
export async function runWget(args: readonly string[], port: CurlPort): Promise<CurlOutput> {
  let line: WgetLine;
  try {
    line = parseWget(args);
  } catch (error) {
    if (!(error instanceof CurlError)) throw error;
    return { stdout: new Uint8Array(), stderr: `wget: ${error.message}\n`, exitCode: error.exitCode };
  }
  const { curl, urls, output, isQuiet } = line;
  const files = urls.map((url) => output ?? fileName(url));
  const isSpider = curl.includes("-I");
  const places = isSpider || output === "-" ? [] : files.flatMap((file) => ["-o", file]);
  const ran = await runCurl(["-sSfL", ...curl, ...places, "--", ...urls], port);
  const exitCode = EXIT_CODES[ran.exitCode] ?? 1;
  const saved =
    exitCode === 0 && !isQuiet && places.length > 0 ? files.map((file) => `'${file}' saved\n`).join("") : "";
  const stderr = isQuiet ? quiet(ran.stderr) : ran.stderr;
  return {
    stdout: isSpider ? new Uint8Array() : ran.stdout,
    stderr: stderr.replace(/^curl:/gm, "wget:") + saved,
    exitCode,
  };
}

/** `-q` says nothing of a server's answer, but what is not allowed here must not look like an empty page. */
function quiet(stderr: string): string {
  return stderr.startsWith("curl: (9)") ? stderr : "";
}

function parseWget(args: readonly string[]): WgetLine {
  const line: WgetLine = { curl: [], urls: [], isQuiet: false };
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (!arg.startsWith("-") || arg === "-") line.urls.push(arg);
    else if (arg.startsWith("--")) {
      const [, name = "", value] = /^--([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
      setOption(line, name, () => value ?? left.shift());
    } else parseShort(line, arg.slice(1), left);
  }
  if (line.urls.length === 0) throw new CurlError(2, "missing URL");
  return line;
}

/** `-qO-`: flags, and at the end one that takes the rest or the next word. */
function parseShort(line: WgetLine, letters: string, left: string[]): void {
  if (letters === "nv" || letters === "nc") return;
  for (let at = 0; at < letters.length; at += 1) {
    const rest = letters.slice(at + 1);
    const isUsed = setOption(line, letters[at] ?? "", () => (rest === "" ? left.shift() : rest));
    if (isUsed) return;
  }
}

/** Whether the option took a value. */
function setOption(line: WgetLine, name: string, next: () => string | undefined): boolean {
  if (name === "q" || name === "quiet") {
    line.isQuiet = true;
    return false;
  }
  const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
  if (flag) {
    line.curl.push(...flag);
    return false;
  }
  const isOutput = name === "O" || name === "output-document";
  const add = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (!isOutput && !add) throw new CurlError(2, `unrecognized option '${name}' in this shell; curl has more`);
  const value = next();
  if (value === undefined) throw new CurlError(2, `option '${name}' requires an argument`);
  if (isOutput) line.output = value;
  else if (add) line.curl.push(...add(value));
  return true;
}

function fileName(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "" || name === "." || name === ".." ? "index.html" : name;
}
