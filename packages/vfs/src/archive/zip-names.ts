import { crc32 } from "node:zlib";
import { TenrecError } from "@tenrec/protocol";

/** Code page 437 from 0x80 on: what a name is in without the flag for UTF-8. */
const UPPER_437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A name's text: in UTF-8 with the flag (`EINVAL` when it is not), or as the extra field for Unicode names says. Without
 * both, UTF-8 where it is valid, since many programs leave out the flag, else code page 437 as the format has it.
 */
export function zipName(raw: Uint8Array, isUtf8: boolean, unicodeField: Uint8Array | undefined): string {
  const text = decode(raw);
  if (isUtf8) {
    if (text !== undefined) return text;
    throw new TenrecError("EINVAL", { path: new TextDecoder().decode(raw), reason: "its name is not UTF-8" });
  }
  return fromUnicodeField(raw, unicodeField) ?? text ?? Array.from(raw, character437).join("");
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

// Version, checksum of the plain name, the name in UTF-8. It counts only while the plain name is the one it was made for.
function fromUnicodeField(raw: Uint8Array, field: Uint8Array | undefined): string | undefined {
  if (!field || field.length < 5 || field[0] !== 1) return undefined;
  const checksum = new DataView(field.buffer, field.byteOffset).getUint32(1, true);
  return checksum === crc32(raw) ? decode(field.subarray(5)) : undefined;
}

function character437(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : (UPPER_437[byte - 0x80] ?? "");
}
