import { expect, test } from "vitest";
import { CachesStandIn } from "./cache-storage.ts";

const URL_A = "https://app.test/a?x=1";
const answer = (control: string | null, body = "body", init: ResponseInit = {}): Response =>
  new Response(body, { ...init, headers: { ...(control === null ? {} : { "cache-control": control }), "x-own": "1" } });

test("an answer is kept as long as it says, in its own cache", async () => {
  let now = 0;
  const caches = new CachesStandIn(() => now);
  await caches.default.put(URL_A, answer("max-age=10"));
  now = 9999;
  const found = await caches.default.match(new Request(`${URL_A}#hash`));
  expect([found?.status, found?.headers.get("x-own"), await found?.text()]).toEqual([200, "1", "body"]);
  expect(await (await caches.default.match(URL_A))?.text()).toBe("body");
  expect(await (await caches.open("other")).match(URL_A)).toBeUndefined();
  expect(await caches.open("other")).toBe(await caches.open("other"));
  now = 10_000;
  expect(await caches.default.match(URL_A)).toBeUndefined();
});

test.each([null, "no-store", "private, max-age=5", "max-age=0", "public"])("%s is not kept", async (control) => {
  const { default: cache } = new CachesStandIn(() => 0);
  await cache.put(URL_A, answer(control));
  expect(await cache.match(URL_A)).toBeUndefined();
});

test("only what was asked for by GET is found, put and deleted, unless the method is to be ignored", async () => {
  const { default: cache } = new CachesStandIn(() => 0);
  const post = new Request(URL_A, { method: "POST" });
  await expect(cache.put(post, answer("max-age=5"))).rejects.toThrow("non-GET");
  await cache.put(URL_A, answer("s-maxage=5, max-age=0"));
  expect(await cache.match(post)).toBeUndefined();
  expect((await cache.match(post, { ignoreMethod: true }))?.status).toBe(200);
  expect([await cache.delete(post), await cache.delete(URL_A), await cache.delete(URL_A)]).toEqual([
    false,
    true,
    false,
  ]);
});

test("of more than fits, what was put first is forgotten", async () => {
  const { default: cache } = new CachesStandIn(() => 0);
  for (const name of ["1", "2", "3"]) {
    await cache.put(`https://app.test/${name}`, answer("max-age=5", "x".repeat(4 * 1024 * 1024)));
  }
  expect(await cache.match("https://app.test/1")).toBeUndefined();
  expect(await (await cache.match("https://app.test/3"))?.text()).toHaveLength(4 * 1024 * 1024);
});
