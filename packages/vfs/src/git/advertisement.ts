import { TenrecError } from "@tenrec/protocol";
import { isRefName, quote } from "./git-path.ts";

const decoder = new TextDecoder();
const OID = /^[0-9a-f]{40}$/;
const PEELED = "^{}";

/**
 * The refs in what a server says at first, by full name. `git-refused` when one has a name that git does not allow, or is
 * a branch that is called HEAD; empty when it is no such answer. Format: gitprotocol-http of git's documentation.
 */
export function readAdvertisement(bytes: Uint8Array): Map<string, string> {
  const refs = new Map<string, string>();
  for (const line of pktLines(bytes)) {
    const [text = ""] = line.replace(/\n$/, "").split("\0");
    const [oid = "", ...rest] = text.split(" ");
    const name = rest.join(" ");
    if (!OID.test(oid) || name === "capabilities^{}" || name === "") continue;
    const plain = name.endsWith(PEELED) ? name.slice(0, -PEELED.length) : name;
    const isFine = plain === "HEAD" || (plain.startsWith("refs/") && isRefName(plain));
    if (!isFine || /^refs\/(heads|tags)\/HEAD$/i.test(plain)) {
      throw new TenrecError("git-refused", {
        what: `the ref ${quote(plain)} of the server`,
        reason: "no ref may be called so",
      });
    }
    refs.set(name, oid);
  }
  return refs;
}

function* pktLines(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = Number.parseInt(decoder.decode(bytes.subarray(at, at + 4)), 16);
    if (Number.isNaN(length)) return;
    if (length > 4) yield decoder.decode(bytes.subarray(at + 4, at + length));
    at += Math.max(length, 4);
  }
}
