import { describe, expect, test } from "vitest";
import { previewPlaces, previewTarget, readPreviewToken } from "./preview-address.ts";

const ADDRESS = {
  binding: "Coder",
  name: "v-1_".repeat(10) + "v-0",
  session: "ea19e7cf-3d86-45b8-898a-086ac10f7108",
};
const WEEK = 7 * 24 * 3600 * 1000;
const NOW = 3000 * WEEK + 1;

function tokenOf(url: string): string {
  const target = previewTarget(new Request(url));
  if (!target) throw new Error(`no preview: ${url}`);
  return target.token;
}

describe("a preview's places", () => {
  test("both say the same, and lead back", async () => {
    const { path, host } = await previewPlaces("secret", ADDRESS, NOW);
    for (const url of [`https://agent.test${path}x`, `http://${host}:8787/x`]) {
      expect(await readPreviewToken("secret", tokenOf(url), NOW)).toEqual(ADDRESS);
    }
    expect(host?.split(".").every((label) => label.length <= 63)).toBe(true);
  });

  test("they are the same for a week, and good for at least one", async () => {
    const { path } = await previewPlaces("secret", ADDRESS, NOW);
    expect((await previewPlaces("secret", ADDRESS, NOW + WEEK - 2)).path).toBe(path);
    expect((await previewPlaces("secret", ADDRESS, NOW + WEEK)).path).not.toBe(path);
    const token = tokenOf(`https://agent.test${path}`);
    expect(await readPreviewToken("secret", token, NOW + 2 * WEEK - 2)).toEqual(ADDRESS);
    expect(await readPreviewToken("secret", token, NOW + 2 * WEEK)).toBeUndefined();
  });

  test("another secret, another text or another signature opens nothing", async () => {
    const { path } = await previewPlaces("secret", ADDRESS, NOW);
    const token = tokenOf(`https://agent.test${path}`);
    const other = (at: number): string => token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
    expect(await readPreviewToken("other", token, NOW)).toBeUndefined();
    for (const wrong of [other(0), other(60), other(token.length - 1), token.slice(1), ""]) {
      expect(await readPreviewToken("secret", wrong, NOW)).toBeUndefined();
    }
  });

  test("a session whose id is too long has no host", async () => {
    const long = { ...ADDRESS, session: "s".repeat(100) };
    const { path, host } = await previewPlaces("secret", long, NOW);
    expect(host).toBeUndefined();
    expect(await readPreviewToken("secret", tokenOf(`https://agent.test${path}`), NOW)).toEqual(long);
  });
});

test.each([
  ["https://agent.test/previews/abc/x/y?q", { token: "abc", url: "https://agent.test/x/y?q", prefix: "/previews/abc" }],
  ["https://agent.test/previews/abc", { token: "abc", url: "https://agent.test/", prefix: "/previews/abc" }],
  ["http://ab.c.preview.localhost:8787/x", { token: "abc", url: "http://ab.c.preview.localhost:8787/x", prefix: "" }],
  ["https://agent.test/previews/ABC/x", undefined],
  ["https://agent.test/agents/coder/shop/tree", undefined],
  ["http://preview.localhost/", undefined],
])("%s", (url, expected) => {
  expect(previewTarget(new Request(url))).toEqual(expected);
});
