import { describe, expect, it } from "vitest";
import { registryConfig } from "./registry-config.ts";

describe("registryConfig", () => {
  it.each<{ npmrc: string | undefined; name: string; registry: string }>([
    { npmrc: undefined, name: "a", registry: "https://default.test" },
    { npmrc: "registry=https://own.test/npm/", name: "a", registry: "https://own.test/npm" },
    { npmrc: "registry = 'https://own.test'", name: "@s/a", registry: "https://own.test" },
    {
      npmrc: "@s:registry=https://scope.test\nregistry=https://own.test",
      name: "@s/a",
      registry: "https://scope.test",
    },
    { npmrc: "@s:registry=https://scope.test", name: "@t/a", registry: "https://default.test" },
    { npmrc: "# registry=https://own.test\n;registry=https://own.test", name: "a", registry: "https://default.test" },
    { npmrc: `a${" ".repeat(300_000)}b\nregistry=https://own.test`, name: "a", registry: "https://own.test" },
    { npmrc: `registry=https://a${"/".repeat(300_000)}b`, name: "a", registry: `https://a${"/".repeat(300_000)}b` },
    { npmrc: "registry=${REGISTRY}", name: "a", registry: "https://default.test" },
    { npmrc: "registry=file:///etc", name: "a", registry: "https://default.test" },
    { npmrc: "registry=https://", name: "a", registry: "https://default.test" },
  ])("finds $name with $npmrc at $registry", ({ npmrc, name, registry }) => {
    expect(registryConfig(npmrc, "https://default.test").registryOf(name)).toBe(registry);
  });

  it.each<{ npmrc: string; url: string; token: string | undefined }>([
    { npmrc: "//r.test/:_authToken=t", url: "https://r.test/a", token: "t" },
    { npmrc: "//r.test/npm/:_authToken=t", url: "https://r.test/npm/a/-/a.tgz", token: "t" },
    { npmrc: "//r.test/npm/:_authToken=t", url: "https://r.test/other/a", token: undefined },
    { npmrc: "//r.test:8080/:_authToken=t", url: "https://r.test/a", token: undefined },
    { npmrc: "//r.test/:_authToken=t", url: "https://evil-r.test/a", token: undefined },
    { npmrc: "//r.test/:_authToken=${TOKEN}", url: "https://r.test/a", token: undefined },
    { npmrc: "//r.test:_authToken=t", url: "https://r.test/a", token: "t" },
    { npmrc: "//r.test/:_authToken=t\n//r.test/npm/:_authToken=u", url: "https://r.test/npm/a", token: "u" },
    { npmrc: "//r.test/npm/:_authToken=u\n//r.test/:_authToken=t", url: "https://r.test/npmx/a", token: "t" },
    { npmrc: "//r.test/:_authToken=t", url: `https://r.test/${"a/".repeat(150_000)}`, token: "t" },
    { npmrc: "_authToken=t", url: "https://r.test/a", token: undefined },
  ])("sends $token to $url with $npmrc", ({ npmrc, url, token }) => {
    expect(registryConfig(npmrc).tokenFor(url)).toBe(token);
  });
});
