import { CurlError } from "./curl-error.ts";
import { type CurlOptions, type DataPart, FLAGS, REFUSED, VALUES } from "./curl-options.ts";

const TRY = "\ncurl: try 'curl --help' for more information";

/** Options that are collected: each may be given many times. */
const LISTS: Readonly<Record<string, (options: CurlOptions, value: string) => void>> = {
  d: (options, value) => options.data.push(atFile(value, "stripped")),
  data: (options, value) => options.data.push(atFile(value, "stripped")),
  "data-ascii": (options, value) => options.data.push(atFile(value, "stripped")),
  "data-binary": (options, value) => options.data.push(atFile(value, "binary")),
  "data-raw": (options, value) => options.data.push({ text: value }),
  "data-urlencode": (options, value) => options.data.push(encoded(value)),
  json: (options, value) => {
    options.data.push(atFile(value, "binary"));
    options.flags.add("json");
  },
  F: (options, value) => options.forms.push(value),
  form: (options, value) => options.forms.push(value),
  "form-string": (options, value) => options.forms.push(value.replace(/=(?=[@<])/, "=\0")),
  H: (options, value) => options.headers.push(value),
  header: (options, value) => options.headers.push(value),
  o: (options, value) => options.outputs.push(value),
  output: (options, value) => options.outputs.push(value),
  url: (options, value) => options.urls.push(value),
};

/** Reads the arguments of curl. Throws `CurlError` for what it does not know or does not do here. */
export function parseCurl(args: readonly string[]): CurlOptions {
  const options: CurlOptions = {
    urls: [],
    outputs: [],
    data: [],
    forms: [],
    headers: [],
    flags: new Set(),
    values: new Map(),
  };
  const left = [...args];
  let isOver = false;
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (isOver || !arg.startsWith("-") || arg === "-") options.urls.push(arg);
    else if (arg === "--") isOver = true;
    else if (arg.startsWith("--")) parseLong(options, arg, left);
    else parseShort(options, arg, left);
  }
  return options;
}

function parseLong(options: CurlOptions, arg: string, left: string[]): void {
  const name = arg.slice(2);
  if (setFlag(options, name)) return;
  // Not curl's own way, but a common one.
  const [, before = name, after] = /^([\w.-]+)=(.*)$/s.exec(name) ?? [];
  setValue(options, before, arg, () => after ?? left.shift());
}

/** `-sSfLo file`: flags, and at the end one that takes the rest or the next word. */
function parseShort(options: CurlOptions, arg: string, left: string[]): void {
  for (let at = 1; at < arg.length; at += 1) {
    const name = arg[at] ?? "";
    if (setFlag(options, name)) continue;
    const rest = arg.slice(at + 1);
    setValue(options, name, `-${name}`, () => (rest === "" ? left.shift() : rest));
    return;
  }
}

function setFlag(options: CurlOptions, name: string): boolean {
  if (name === "O" || name === "remote-name") {
    options.outputs.push(undefined);
    return true;
  }
  const flag = Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined;
  if (flag === undefined) return false;
  options.flags.add(flag);
  return true;
}

function setValue(options: CurlOptions, name: string, shown: string, next: () => string | undefined): void {
  if (REFUSED.has(name)) throw new CurlError(2, `option ${shown}: not supported in this shell${TRY}`);
  const add = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  const key = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  if (!add && key === undefined) throw new CurlError(2, `option ${shown}: is unknown${TRY}`);
  const value = next();
  if (value === undefined) throw new CurlError(2, `option ${shown}: requires parameter${TRY}`);
  if (add) add(options, value);
  else if (key !== undefined) options.values.set(key, value);
}

function atFile(value: string, as: "stripped" | "binary"): DataPart {
  return value.startsWith("@") ? { file: value.slice(1), as } : { text: value };
}

/** `content`, `=content`, `name=content`, `@file` or `name@file`; the content is encoded, the name is not. */
function encoded(value: string): DataPart {
  const [, name = "", sign, content = value] = /^([^=@]*)([=@])(.*)$/s.exec(value) ?? [];
  if (sign === "@") return { file: content, as: "encoded", ...(name === "" ? {} : { name }) };
  return { text: `${name === "" ? "" : `${name}=`}${encodeFormText(content)}` };
}

/** As curl encodes: all but letters, digits and `-._~`, a blank as a plus. */
export function encodeFormText(text: string): string {
  const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, percent)
    .replaceAll("%20", "+");
}
