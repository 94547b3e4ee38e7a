/**
 * The host of an address, without its port, in the one way in which hosts are compared: a dot at its end says that the name is
 * complete, and leads to the same place. Capitals are gone in every `URL`.
 */
export function plainHost({ hostname }: URL): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

/** The origin of an address, as `plainHost` has it; undefined for a text that is none, such as `null`. */
export function plainOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  return url ? `${url.protocol}//${plainHost(url)}${portOf(url)}` : undefined;
}

/** With the colon before it; empty for the one of the protocol. */
export function portOf({ port }: URL): string {
  return port && `:${port}`;
}
