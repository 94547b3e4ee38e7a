import { TenrecError } from "@tenrec/protocol";

/** From the strongest to the weakest. MD5 is none of them: it shows nothing. */
const ALGORITHMS = ["sha512", "sha384", "sha256", "sha1"] as const;

/** Subresource integrity from a SHA-1 in hexadecimal, which is all that old versions have. */
export function integrityOfSha1(hex: string | undefined): string | undefined {
  if (hex === undefined || !/^[\da-f]{40}$/i.test(hex)) return undefined;
  return `sha1-${btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))}`;
}

/**
 * Checks bytes against subresource integrity, by the strongest of its algorithms: https://www.w3.org/TR/SRI/. Throws
 * `package-damaged` when none of its hashes is theirs, and when it has none that can be checked.
 */
export async function checkIntegrity(name: string, bytes: Uint8Array<ArrayBuffer>, integrity: string): Promise<void> {
  const hashes = integrity
    .trim()
    .split(/\s+/)
    .map((hash) => hash.split("?")[0] ?? "");
  for (const algorithm of ALGORITHMS) {
    const wanted = hashes.filter((hash) => hash.startsWith(`${algorithm}-`));
    if (wanted.length === 0) continue;
    const found = `${algorithm}-${await digest(algorithm, bytes)}`;
    if (wanted.includes(found)) return;
    const reason = `its integrity is ${found}, and ${wanted.join(" or ")} is wanted`;
    throw new TenrecError("package-damaged", { package: name, reason });
  }
  throw new TenrecError("package-damaged", { package: name, reason: `its integrity cannot be checked: ${integrity}` });
}

async function digest(algorithm: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest(algorithm.replace("sha", "SHA-"), bytes);
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}
