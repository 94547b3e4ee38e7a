import { expect, test } from "vitest";
import { type Contestant, measureInTurns } from "./measure-in-turns.ts";

/** A clock that a contestant moves on by what it costs, and a note of who ran. */
function stage(costs: Readonly<Record<string, number>>, ways: readonly number[] = [0]) {
  let time = 0;
  const ran: string[] = [];
  const left = [...ways];
  const contestants = Object.entries(costs).map(([subject, cost]): Contestant => ({
    subject,
    prepare: async () => void (time += 1000),
    way: () => void (time += left.shift() ?? 0),
    run: () => {
      ran.push(subject);
      time += cost;
    },
  }));
  return { contestants, ran, now: () => time };
}

test("everybody runs in turn, another one first each time, without what comes before", async () => {
  const { contestants, ran, now } = stage({ a: 5, b: 7, c: 9 });
  const times = await measureInTurns(contestants, { runs: 3, atLeast: 1, budgetMs: 1000, now });
  expect(ran.join("")).toBe("abcbcacab");
  expect(Object.fromEntries(times)).toEqual({ a: [5, 5, 5], b: [7, 7, 7], c: [9, 9, 9] });
});

test.each([
  { name: "stops at its budget", atLeast: 1, budgetMs: 200, slow: 2 },
  { name: "runs as often as it has to", atLeast: 3, budgetMs: 200, slow: 3 },
  { name: "runs no more often than everybody", atLeast: 9, budgetMs: 200, slow: 5 },
])("who is slow $name", async ({ atLeast, budgetMs, slow }) => {
  const { contestants, now } = stage({ quick: 1, slow: 100 });
  const times = await measureInTurns(contestants, { runs: 5, atLeast, budgetMs, now });
  expect(times.get("slow")).toHaveLength(slow);
  expect(times.get("quick")).toHaveLength(5);
});

test.each([
  { ways: [2], repeats: 1, expected: [8] },
  { ways: [2], repeats: 4, expected: [2] },
  { ways: [0], repeats: 10, expected: [1] },
  { ways: [1, 40, 2], repeats: 1, expected: [8, 8, 8] },
  { ways: [11], repeats: 1, expected: [0.001] },
])("10 ms with a way of $ways, $repeats at once, are $expected", async ({ ways, repeats, expected }) => {
  const { contestants, now } = stage({ a: 10 }, ways);
  const measured = contestants.map((contestant) => ({ ...contestant, repeats }));
  const times = await measureInTurns(measured, { runs: ways.length, atLeast: ways.length, budgetMs: 0, now });
  expect(times.get("a")).toEqual(expected);
});

test("a failure ends it", async () => {
  const broken: Contestant = { subject: "a", run: () => Promise.reject(new Error("broken")) };
  await expect(measureInTurns([broken], { runs: 2, atLeast: 1, budgetMs: 0, now: () => 0 })).rejects.toThrow("broken");
});
