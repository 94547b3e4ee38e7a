import { hasCode } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { parsePublicUrl, showUrl } from "./public-url.ts";

function refusal(text: string, localHosts?: readonly string[]): string | undefined {
  try {
    parsePublicUrl(text, localHosts);
    return undefined;
  } catch (error) {
    if (!hasCode(error, "egress-refused")) throw error;
    return error.data.reason;
  }
}

/** Addresses that are not public; each must be refused in every spelling of the next table. */
const NOT_PUBLIC = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.192",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "168.63.129.16",
] as const;

const hex = (n: number, digits = 2): string => n.toString(16).padStart(digits, "0");

const SPELLINGS: Readonly<Record<string, (address: string, parts: number[], number: number) => string>> = {
  plain: (address) => address,
  "a trailing dot": (address) => `${address}.`,
  "a port": (address) => `${address}:8080`,
  decimal: (_address, _parts, number) => String(number),
  hexadecimal: (_address, _parts, number) => `0x${number.toString(16)}`,
  octal: (_address, _parts, number) => `0${number.toString(8)}`,
  "octal parts": (_address, parts) => parts.map((part) => `0${part.toString(8)}`).join("."),
  "hexadecimal parts": (_address, parts) => parts.map((part) => `0X${part.toString(16)}`).join("."),
  "two parts": (_address, [a = 0], number) => `${a}.${number % 2 ** 24}`,
  "three parts": (_address, [a = 0, b = 0], number) => `${a}.${b}.${number % 2 ** 16}`,
  "full-width digits": (address) => address.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  "ideographic dots": (address) => address.replaceAll(".", "。"),
  "percent signs": (address) => address.replace(/\d/g, (digit) => `%3${digit}`),
  "mapped into IPv6": (address) => `[::ffff:${address}]`,
  "mapped into IPv6, in hexadecimal": (_address, [a = 0, b = 0, c = 0, d = 0]) =>
    `[::ffff:${hex(a)}${hex(b)}:${hex(c)}${hex(d)}]`,
  "compatible IPv6": (address) => `[::${address}]`,
  NAT64: (address) => `[64:ff9b::${address}]`,
  "local NAT64": (address) => `[64:ff9b:1::${address}]`,
  "6to4": (_address, [a = 0, b = 0, c = 0, d = 0]) => `[2002:${hex(a)}${hex(b)}:${hex(c)}${hex(d)}::1]`,
  Teredo: (_address, [a = 0, b = 0, c = 0, d = 0]) =>
    `[2001:0:1:1:1:1:${hex(255 - a)}${hex(255 - b)}:${hex(255 - c)}${hex(255 - d)}]`,
};

describe.each(Object.entries(SPELLINGS))("an address that is not public, as %s", (_name, spell) => {
  test.each(NOT_PUBLIC)("%s", (address) => {
    const parts = address.split(".").map(Number);
    const number = parts.reduce((sum, part) => sum * 256 + part, 0);
    expect(refusal(`http://${spell(address, parts, number)}/latest/meta-data/`)).toBeDefined();
  });
});

describe("refused", () => {
  test.each([
    ["http://[::1]/"],
    ["http://[::]/"],
    ["http://[0:0:0:0:0:0:0:1]:8080/"],
    ["http://[fe80::1]/"],
    ["http://[fe80::1%25eth0]/"],
    ["http://[fe80::1%eth0]/"],
    ["http://[fc00::1]/"],
    ["http://[fd00:ec2::254]/"],
    ["http://[fec0::1]/"],
    ["http://[ff02::1]/"],
    ["http://[2001:db8::1]/"],
    ["http://[100::1]/"],
    ["http://[5f00::1]/"],
    ["http://localhost/"],
    ["http://LOCALHOST./"],
    ["http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/"],
    ["http://a.b.localhost/"],
    ["http://printer.local/"],
    ["http://metadata.google.internal/computeMetadata/v1/"],
    ["http://metadata/"],
    ["http://router.home.arpa/"],
    ["http://1.0.0.127.in-addr.arpa/"],
    ["http://example..com/"],
    ["http://example.com../"],
    ["http://example.com%00.evil.test/"],
    ["http://example.com\0.evil.example/"],
    ["http://example.com\t/"],
    ["http://exam\nple.com/"],
    ["http://example.com\\@evil.example/"],
    ["http:\\\\example.com/"],
    [" http://example.com/"],
    ["http://user@example.com/"],
    ["http://example.com:80@evil.example/"],
    ["http://:secret@example.com/"],
    ["http://example.com@127.0.0.1/"],
    ["ftp://example.com/"],
    ["file:///etc/passwd"],
    ["data:text/plain,x"],
    ["javascript:alert(1)"],
    ["gopher://example.com/"],
    ["ws://example.com/"],
    ["//example.com/"],
    ["example.com"],
    ["http://"],
    ["http:///"],
    ["http://256.256.256.256/"],
    ["http://1.2.3.4.5/"],
    ["http://example.com:22/"],
    ["http://example.com:25/"],
    ["http://example.com:0/"],
    ["http://example.com:6667/"],
    ["http://example.com:99999/"],
    [`http://example.com/${"x".repeat(9000)}`],
  ])("%s", (url) => {
    expect(refusal(url)).toBeDefined();
  });
});

describe("reached, in one spelling", () => {
  test.each([
    ["https://example.com", "https://example.com/"],
    ["HTTPS://EXAMPLE.com:443/a/../b?c#d", "https://example.com/b?c#d"],
    ["http://example.com./", "http://example.com/"],
    ["http://example.com:8080/", "http://example.com:8080/"],
    ["http://bücher.example/", "http://xn--bcher-kva.example/"],
    // A Cyrillic а: shown for what it is.
    ["http://аpple.com/", "http://xn--pple-43d.com/"],
    ["http://8.8.8.8/", "http://8.8.8.8/"],
    ["http://134744072/", "http://8.8.8.8/"],
    ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
    ["http://localhost.example.com/", "http://localhost.example.com/"],
    ["http://127.0.0.1.example.com/", "http://127.0.0.1.example.com/"],
    ["https://example.com/@user/x", "https://example.com/@user/x"],
  ])("%s", (url, expected) => {
    expect(parsePublicUrl(url).href).toBe(expected);
  });
});

test("a local host is reached when it is named, with its port, and nothing else is", () => {
  const local = ["127.0.0.1:4873"];
  expect(refusal("http://127.0.0.1:4873/x", local)).toBeUndefined();
  expect(refusal("http://2130706433:4873/x", local)).toBeUndefined();
  expect(refusal("http://127.0.0.1:4874/x", local)).toBeDefined();
  expect(refusal("http://127.0.0.1/x", local)).toBeDefined();
  expect(refusal("http://user@127.0.0.1:4873/x", local)).toBeDefined();
});

test("a text that says why shows no password, and no more than is needed", () => {
  expect(showUrl("http://me:secret@example.com/a@b")).toBe("http://example.com/a@b");
  expect(showUrl("http://a\u001b[31m")).toBe("http://a\uFFFD[31m");
  expect(showUrl("x".repeat(1000))).toHaveLength(301);
});
