import { base64url, equalTexts, fromBase64, hmac } from "../access.ts";

/** Which link of which object a token stands for. */
export interface PreviewAddress {
  /** The binding of the agent's class. */
  readonly binding: string;
  /** The name of the object, as `objectName` makes it: an object that is woken by its id alone does not know its name. */
  readonly name: string;
  /** What the object knows the link by: from 0 up to `MOST_LINKS`. */
  readonly link: number;
}

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

/** As many as a label of a host's name may have, so that one wildcard certificate is enough: 315 bits. */
const TOKEN_DIGITS = 63;
const NAME_BITS = 256;
const LINK_BITS = 20;

/** All that is left, 39 bits. Whoever guesses needs the name of the object too, unless a link into it was shared already. */
const SIGNATURE_BITS = TOKEN_DIGITS * 5 - NAME_BITS - LINK_BITS;

export const MOST_LINKS: number = 2 ** LINK_BITS;

/** A text that fits into the name of a host and that only who knows `secret` can make. */
export async function previewToken(secret: string, address: PreviewAddress): Promise<string> {
  const name = [...fromBase64(address.name)].map((byte) => bitsOf(byte, 8)).join("");
  const bits = name + bitsOf(address.link, LINK_BITS) + (await signature(secret, address));
  return (bits.match(/.{5}/g) ?? []).map((five) => DIGITS[Number.parseInt(five, 2)]).join("");
}

/** What a token stands for among objects of these bindings; undefined for one that nobody made. Says nothing of whether the link is still good. */
export async function readPreviewToken(
  secret: string,
  token: string,
  bindings: readonly string[],
): Promise<PreviewAddress | undefined> {
  if (token.length !== TOKEN_DIGITS || !/^[a-z2-7]+$/.test(token)) return undefined;
  const bits = Array.from(token, (digit) => bitsOf(DIGITS.indexOf(digit), 5)).join("");
  const bytes = (bits.slice(0, NAME_BITS).match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2));
  const name = base64url(Uint8Array.from(bytes));
  const link = Number.parseInt(bits.slice(NAME_BITS, NAME_BITS + LINK_BITS), 2);
  for (const binding of bindings) {
    const address = { binding, name, link };
    if (await equalTexts(bits.slice(NAME_BITS + LINK_BITS), await signature(secret, address))) return address;
  }
  return undefined;
}

async function signature(secret: string, { binding, name, link }: PreviewAddress): Promise<string> {
  const digest = fromBase64(await hmac(secret, JSON.stringify(["preview-link", binding, name, link])));
  return [...digest.subarray(0, 5)]
    .map((byte) => bitsOf(byte, 8))
    .join("")
    .slice(0, SIGNATURE_BITS);
}

function bitsOf(value: number, width: number): string {
  return value.toString(2).padStart(width, "0");
}
