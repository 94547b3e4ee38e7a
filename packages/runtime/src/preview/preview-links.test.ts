import { createNodeStorage } from "@tenrec/vfs/testing";
import { expect, test } from "vitest";
import { PreviewLinks } from "./preview-links.ts";

const DAY = 24 * 3600 * 1000;

function linksAt(start: number): { links: PreviewLinks; later(ms: number): void } {
  let now = start;
  return { links: new PreviewLinks(createNodeStorage().sql, () => now), later: (ms) => void (now += ms) };
}

test("a session has one link, and each of its turns another", () => {
  const { links } = linksAt(1000);
  const newest = links.open({ session: "a" });
  expect(links.open({ session: "a" })).toEqual(newest);
  const frozen = links.open({ session: "a", frozen: { turn: 2, tree: "t2" } });
  const other = links.open({ session: "b" });
  expect(new Set([newest.link, frozen.link, other.link]).size).toBe(3);
  expect(links.find(newest.link)).toEqual({ session: "a" });
  expect(links.find(frozen.link)).toEqual({ session: "a", frozen: { turn: 2, tree: "t2" } });
  expect(links.targets("a")).toEqual([{ session: "a" }, { session: "a", frozen: { turn: 2, tree: "t2" } }]);
  expect(links.find(99)).toBeUndefined();
});

test("a link is good for two weeks after it was asked for last", () => {
  const { links, later } = linksAt(0);
  const { link, expires } = links.open({ session: "a" });
  expect(expires).toBe(14 * DAY);
  later(6 * DAY);
  expect(links.open({ session: "a" })).toEqual({ link, expires });
  later(2 * DAY);
  expect(links.open({ session: "a" })).toEqual({ link, expires: 22 * DAY });
  later(14 * DAY - 1);
  expect(links.find(link)).toEqual({ session: "a" });
  later(1);
  expect(links.find(link)).toBeUndefined();
  expect(links.targets("a")).toEqual([]);
  expect(links.gone()).toEqual([{ link, session: "a" }]);
  expect(links.nextExpiry()).toBe(22 * DAY);
  links.forget(link);
  expect(links.gone()).toEqual([]);
  expect(links.nextExpiry()).toBeUndefined();
  expect(links.open({ session: "a" }).link).not.toBe(link);
});

test("a link that was revoked never opens anything again", () => {
  const { links } = linksAt(1);
  const [newest, first, second] = [undefined, 1, 2].map((turn) =>
    links.open({ session: "a", ...(turn === undefined ? {} : { frozen: { turn, tree: `t${turn}` } }) }),
  );
  const other = links.open({ session: "b" });
  expect(links.revoke("a", 1)).toBe(1);
  expect(links.find(first?.link ?? 0)).toBeUndefined();
  expect(links.find(newest?.link ?? 0)).toBeDefined();
  expect(links.revoke("a")).toBe(2);
  expect(links.revoke("a")).toBe(0);
  expect(links.gone().map(({ link }) => link)).toEqual([newest, first, second].map((each) => each?.link));
  for (const { link } of links.gone()) links.forget(link);
  expect(links.find(other.link)).toEqual({ session: "b" });
  const again = links.open({ session: "a" });
  expect([newest?.link, first?.link, second?.link, other.link]).not.toContain(again.link);
});
