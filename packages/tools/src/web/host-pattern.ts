import type { Verdict } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";

/**
 * Whether a rule for a host is about this one. `host` is as `URL.host` gives it. Throws `not-configured` for a pattern that
 * is none: a rule that denies must not be without effect.
 */
export function matchesHost(pattern: string, host: string, verdict: Verdict): boolean {
  const { name, port } = parsePattern(pattern);
  const [, hostname = host, hostPort = ""] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  if (!isPort(port, hostPort, verdict)) return false;
  if (name === "*") return true;
  return name.startsWith("*.") ? hostname.endsWith(name.slice(1)) : hostname === name;
}

/** `hostPort` is empty for the port that the protocol has by itself. */
function isPort(port: string | undefined, hostPort: string, verdict: Verdict): boolean {
  if (port === undefined) return verdict !== "allow" || hostPort === "";
  return port === hostPort || (hostPort === "" && (port === "443" || port === "80"));
}

function parsePattern(pattern: string): { name: string; port?: string } {
  const [, wildcard = "", rest = "", port] = /^(\*\.)?(.+?)(?::(\d+))?$/.exec(pattern.trim()) ?? [];
  const numbered = port === undefined ? {} : { port };
  if (wildcard === "" && rest === "*") return { name: "*", ...numbered };
  const isHost = !/[/@?#*\\\s]/.test(rest) && URL.canParse(`http://${rest}`);
  // The spelling that a URL has: lower case, other scripts in ASCII, numbers as four.
  const name = isHost ? new URL(`http://${rest}`).host.replace(/\.$/, "") : "";
  if (name === "") {
    throw new TenrecError("not-configured", {
      what: `The rule for the host ${JSON.stringify(pattern)}`,
      how: 'Write "example.com", "*.example.com" or "*", with a port such as ":8080" if need be.',
    });
  }
  return { name: wildcard + name, ...numbered };
}
