import { createNodeStorage } from "@tenrec/vfs/testing";
import { expect, test, vi } from "vitest";
import { LinkSweeper, PREVIEW_LINKS } from "./link-sweeper.ts";
import { PreviewLinks } from "./preview-links.ts";

const DAY = 24 * 3600 * 1000;

function sweeperAt(start: number) {
  let now = start;
  const jobs = new Map<string, number>();
  const ended: number[] = [];
  const freed: string[] = [];
  const failing = new Set<number>();
  const links = new PreviewLinks(createNodeStorage().sql, () => now);
  const sweeper = new LinkSweeper({
    links,
    jobs: {
      get: (id) => (jobs.has(id) ? { time: jobs.get(id) } : undefined) as never,
      push: async ({ id = "", time }) => void jobs.set(id, time) as never,
      cancel: async (id) => jobs.delete(id),
    },
    now: () => now,
    end: (gone) => void ended.push(...gone),
    free: async (session, { turn }) => {
      if (failing.has(turn)) throw new Error("not now");
      freed.push(`${session} ${turn}`);
    },
  });
  const open = (turn: number): number => links.open({ session: "a", frozen: { turn, tree: "t" } }).link;
  const dueAt = (): number | undefined => jobs.get(PREVIEW_LINKS);
  return { links, sweeper, open, ended, freed, failing, dueAt, later: (ms: number) => void (now += ms) };
}

test("what expired is swept, and the object is woken for what expires next", async () => {
  const { links, sweeper, open, ended, freed, dueAt, later } = sweeperAt(DAY);
  const first = open(1);
  await sweeper.plan();
  expect(dueAt()).toBe(15 * DAY);
  later(DAY);
  const second = open(2);
  links.open({ session: "b" });
  await sweeper.plan();
  expect(dueAt()).toBe(15 * DAY);
  later(13 * DAY);
  await sweeper.sweepLater();
  expect([ended, freed, dueAt()]).toEqual([[first], ["a 1"], 16 * DAY]);
  expect(links.find(second)).toBeDefined();
  later(DAY);
  await sweeper.sweepLater();
  expect([ended.length, freed, dueAt()]).toEqual([3, ["a 1", "a 2"], undefined]);
});

test("what cannot be freed is tried again, and holds up nothing else", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const { links, sweeper, open, freed, failing, dueAt } = sweeperAt(DAY);
  open(1);
  open(2);
  failing.add(1);
  expect(links.revoke("a")).toBe(2);
  await expect(sweeper.sweep()).rejects.toThrow("not now");
  expect([freed, links.gone().map(({ frozen }) => frozen?.turn)]).toEqual([["a 2"], [1]]);
  expect(dueAt()).toBeLessThan(DAY);
  await sweeper.sweepLater();
  expect([told.mock.calls.length, dueAt()]).toEqual([1, DAY + 60_000]);
  failing.clear();
  await sweeper.sweepLater();
  expect([freed, links.gone(), dueAt()]).toEqual([["a 2", "a 1"], [], undefined]);
  told.mockRestore();
});
