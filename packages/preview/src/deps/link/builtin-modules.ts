/** Modules of Node that have no package's name in front of them: https://nodejs.org/api/modules.html#built-in-modules */
const NAMES: ReadonlySet<string> = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs
  http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream
  string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib`.split(/\s+/),
);

/** The whole name of a builtin, such as `node:fs/promises` for `fs/promises`; undefined for what is none. */
export function builtinOf(specifier: string): string | undefined {
  if (/^(?:node|cloudflare|workerd):/.test(specifier)) return specifier;
  // With a slash behind it, the package of that name is meant.
  const [first = "", second] = specifier.split("/");
  return NAMES.has(first) && second !== "" ? `node:${specifier}` : undefined;
}
