import { describe, expect, test } from "vitest";
import { applyHeaders, parseHeaders } from "./asset-headers.ts";
import { matchRule } from "./match-rule.ts";
import { findRedirect, parseRedirects } from "./redirects.ts";

test.each<[string, string, Record<string, string> | undefined]>([
  ["/a", "/a", {}],
  ["/a", "/a/", undefined],
  ["/*", "/a/b", { splat: "a/b" }],
  ["/*", "/", { splat: "" }],
  ["/blog/*.html", "/blog/x/y.html", { splat: "x/y" }],
  ["/blog/*.html", "/blog/.htm", undefined],
  ["/:year/:name", "/2026/x", { year: "2026", name: "x" }],
  ["/:year/:name", "/2026/x/y", undefined],
  ["/:year/", "//", undefined],
  ["/u/:id/*", "/u/7/a/b", { id: "7", splat: "a/b" }],
  [`/${"*a".repeat(100)}`, `/${"a".repeat(1000)}`, undefined],
])("%s for %s", (rule, path, expected) => {
  expect(matchRule(rule, path)).toEqual(expected);
});

describe("_redirects", () => {
  const rules = parseRedirects(`# comment
/old /new 301
/news/* /blog/:splat
/u/:id https://example.com/user/:id 308
/shown /page 200
/same /first
/same /second
not-a-rule /x
/bad /x 404
/proxied https://example.com/ 200
/* /never 302
/exact /static`);

  test.each<[string, { to: string; status: number }]>([
    ["/old", { to: "/new", status: 301 }],
    ["/news/a/b", { to: "/blog/a/b", status: 302 }],
    ["/u/7", { to: "https://example.com/user/7", status: 308 }],
    ["/shown", { to: "/page", status: 200 }],
    ["/same", { to: "/first", status: 302 }],
    ["/exact", { to: "/static", status: 302 }],
    ["/bad", { to: "/never", status: 302 }],
  ])("%s", (path, expected) => {
    expect(findRedirect(rules, path)).toMatchObject(expected);
  });
});

test("_headers", () => {
  const rules = parseHeaders(`
/*
  X-All: 1
  # comment
  Cache-Control: public
/secret/:name
  X-Robots-Tag: noindex
  X-Name: got :name
  X-All: 2
  ! Cache-Control
https://other.example/*
  X-Other: 1
  Not A Header
`);
  const headersOf = (url: string): Record<string, string> => {
    const headers = new Headers({ etag: "e", "cache-control": "default" });
    applyHeaders(rules, new URL(url), headers);
    return Object.fromEntries(headers);
  };
  expect(headersOf("https://app.example/a")).toEqual({ etag: "e", "x-all": "1", "cache-control": "public" });
  expect(headersOf("https://app.example/secret/x")).toEqual({
    etag: "e",
    "x-all": "1, 2",
    "x-name": "got x",
    "x-robots-tag": "noindex",
  });
  expect(headersOf("https://other.example/a")).toMatchObject({ "x-other": "1" });
});
