import { describe, expect, test } from "vitest";
import { previewPlaces, previewTarget } from "./preview-places.ts";

const WILDCARD = { TENREC_PREVIEW_HOST: "*.preview.example.com" };
const SHARED = { TENREC_PREVIEW_HOST: "https://preview.me.workers.dev" };

test.each([
  ["in development", {}, "http://localhost:8787/agents/x", "http://abc.preview.localhost:8787/"],
  ["in development, at a name with a dot", {}, "http://LOCALHOST.:8787/x", "http://abc.preview.localhost:8787/"],
  [
    "with a wildcard in capitals",
    { TENREC_PREVIEW_HOST: "*.Preview.Example.com." },
    "https://agent.test/",
    "https://abc.preview.example.com/",
  ],
  ["without a host", {}, "https://agent.test/agents/x", undefined],
  ["with a wildcard", WILDCARD, "https://agent.test/agents/x", "https://abc.preview.example.com/"],
  ["with a second Worker", SHARED, "https://agent.test/x", "https://preview.me.workers.dev/@tenrec/open/abc"],
])("places %s", (_name, env, asked, host) => {
  expect(previewPlaces(env, "abc", asked)).toEqual({ path: "/previews/abc/", ...(host ? { host } : {}) });
});

test.each(["preview.example.com", "*.", "ftp://preview.example.com", "https://example.com/previews", "* .example.com"])(
  "%s is no host of previews",
  (text) => {
    const failing = (): unknown => previewPlaces({ TENREC_PREVIEW_HOST: text }, "abc", "https://agent.test/");
    expect(failing).toThrow(/TENREC_PREVIEW_HOST/);
  },
);

describe("a request to", () => {
  test.each([
    ["https://agent.test/previews/abc/x/y?q", {}, { mode: "path", token: "abc", url: "https://agent.test/x/y?q" }],
    ["https://agent.test/previews/abc", {}, { mode: "path", token: "abc", url: "https://agent.test/" }],
    ["http://abc.preview.localhost:8787/x", {}, { mode: "own", token: "abc", prefix: "" }],
    ["https://abc.preview.example.com/x", WILDCARD, { mode: "own", token: "abc", prefix: "" }],
    ["https://a.b.preview.example.com/x", WILDCARD, { mode: "own", token: "a.b" }],
    ["https://preview.me.workers.dev/x", SHARED, { mode: "shared", token: "ticket", isTicket: false }],
    ["https://preview.me.workers.dev/@tenrec/open/abc", SHARED, { mode: "shared", token: "abc", isTicket: true }],
    ["https://preview.me.workers.dev/agents/coder/shop/tree", SHARED, { mode: "shared", token: "ticket" }],
    ["https://ABC.Preview.Example.com.:8443/x", WILDCARD, { mode: "own", token: "abc", prefix: "" }],
    [
      "https://abc.preview.example.com/x",
      { TENREC_PREVIEW_HOST: "*.PREVIEW.example.com." },
      { mode: "own", token: "abc" },
    ],
    ["http://abc.preview.localhost.:8787/x", {}, { mode: "own", token: "abc", prefix: "" }],
    ["https://Preview.me.workers.dev.:443/x", SHARED, { mode: "shared", token: "ticket" }],
    ["https://preview.me.workers.dev:8443/x", SHARED, undefined],
    ["https://agent.test.:8443/previews/abc/x", {}, { mode: "path", token: "abc", url: "https://agent.test.:8443/x" }],
    ["https://preview.me.workers.dev/x", {}, undefined],
    ["https://abc.preview.example.com/x", {}, undefined],
    ["https://agent.test/previews/ABC/x", {}, undefined],
    ["https://agent.test/agents/coder/shop/tree", WILDCARD, undefined],
    ["http://preview.localhost/", {}, undefined],
  ])("%s", (url, env, expected) => {
    const headers = { cookie: "a=1; __Host-tenrec-preview=ticket; b=2" };
    const target = previewTarget(new Request(url, { headers }), env);
    if (expected) expect(target).toMatchObject(expected);
    else expect(target).toBeUndefined();
  });
});
