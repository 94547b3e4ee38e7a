import { manualClock } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { FIRST_WORD_MS, STALL_MS, stallWatchdog } from "./stall-watchdog.ts";

test("is patient before the first word, and less so within an answer", async () => {
  const clock = manualClock();
  const watchdog = stallWatchdog(clock);
  await clock.advance(FIRST_WORD_MS - 1);
  expect(watchdog.signal.aborted).toBe(false);
  watchdog.heard();
  expect(watchdog.started).toBe(true);
  await clock.advance(STALL_MS - 1);
  expect(watchdog.signal.aborted).toBe(false);
  watchdog.heard();
  await clock.advance(STALL_MS - 1);
  expect(watchdog.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(watchdog.signal.reason).toMatchObject({ code: "timeout", data: { ms: STALL_MS } });
});

test("gives up on a model that never says a word", async () => {
  const clock = manualClock();
  const watchdog = stallWatchdog(clock);
  await clock.advance(FIRST_WORD_MS);
  expect(watchdog.signal.reason).toMatchObject({ code: "timeout", data: { ms: FIRST_WORD_MS } });
});

test("does nothing once it is disposed", async () => {
  const clock = manualClock();
  const watchdog = stallWatchdog(clock);
  watchdog[Symbol.dispose]();
  await clock.advance(FIRST_WORD_MS * 2);
  expect(watchdog.signal.aborted).toBe(false);
});
