import ipaddr from "ipaddr.js";

/** Names that mean this machine or this network, wherever they are resolved. */
const LOCAL_NAMES: readonly string[] =
  "localhost local localdomain internal intranet private corp home lan test invalid onion arpa".split(" ");

/** An address of a cloud's own services that lies among the public ones. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The only block of IPv6 that is handed out for the internet. */
const GLOBAL_UNICAST: ReturnType<typeof ipaddr.IPv6.parseCIDR> = ipaddr.IPv6.parseCIDR("2000::/3");

/** Why an IP address is not one of the public internet; undefined when it is. What is no address is none of it. */
export function whyAddressIsNotPublic(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return "it is no address";
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range !== "unicast") return `it is an address for another use (${range})`;
  if (METADATA_ADDRESSES.has(address.toString())) return "it is an address for another use (metadata)";
  // What the library does not list, such as ::a.b.c.d, is taken for unicast.
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST))
    return "it is an address for another use (not global)";
  return undefined;
}

/**
 * Why a host as `URL` gives it, so with its numbers and letters made alike, is not one of the public internet; undefined
 * when it may be: a name can still resolve to an address that is not.
 */
export function whyHostIsNotPublic(hostname: string): string | undefined {
  if (hostname.startsWith("[")) return whyAddressIsNotPublic(hostname.slice(1, -1));
  const name = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  if (/^[\d.]+$/.test(name)) return whyAddressIsNotPublic(name);
  const labels = name.split(".");
  if (labels.includes("")) return "its host has an empty part";
  if (LOCAL_NAMES.includes(labels.at(-1) ?? "")) return "its host is a name of a local network";
  if (labels.length === 1) return "its host has no domain, which is a name of a local network";
  return undefined;
}
