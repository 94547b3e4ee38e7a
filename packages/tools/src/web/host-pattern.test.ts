import type { Verdict } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { matchesHost } from "./host-pattern.ts";

describe("matchesHost", () => {
  test.each<[pattern: string, host: string, verdict: Verdict, expected: boolean]>([
    ["example.com", "example.com", "allow", true],
    ["example.com", "www.example.com", "allow", false],
    ["example.com", "notexample.com", "allow", false],
    ["example.com", "example.com.evil.test", "allow", false],
    ["Example.COM.", "example.com", "allow", true],
    ["bücher.example", "xn--bcher-kva.example", "allow", true],
    ["*.example.com", "a.example.com", "allow", true],
    ["*.example.com", "a.b.example.com", "allow", true],
    ["*.example.com", "example.com", "allow", false],
    ["*.example.com", "evilexample.com", "allow", false],
    ["*", "anything.example", "allow", true],
    ["example.com", "example.com:8080", "allow", false],
    ["example.com", "example.com:8080", "deny", true],
    ["example.com", "example.com:8080", "ask", true],
    ["*", "example.com:8080", "allow", false],
    ["*", "example.com:8080", "deny", true],
    ["example.com:8080", "example.com:8080", "allow", true],
    ["example.com:8080", "example.com", "deny", false],
    ["example.com:443", "example.com", "allow", true],
    ["*.example.com:8443", "a.example.com:8443", "allow", true],
    ["[2606:4700::1]", "[2606:4700::1]:8080", "deny", true],
    ["127.0.0.1:4873", "127.0.0.1:4873", "allow", true],
  ])("%s of %s, %s: %s", (pattern, host, verdict, expected) => {
    expect(matchesHost(pattern, host, verdict)).toBe(expected);
  });

  test.each(["", "*.", "*.*.com", "https://example.com", "example.com/path", "a@b", "a b", "example.com:x"])(
    "%j is no pattern, and no rule without effect",
    (pattern) => {
      expect(() => matchesHost(pattern, "example.com", "deny")).toThrow(/The rule for the host/);
    },
  );
});
