import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

const never = new Promise<never>(() => {});

test("gives what the promise gives", async () => {
  const { signal } = new AbortController();
  await expect(untilAborted(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("rejects with the reason, also when it was aborted before", async () => {
  const stop = new AbortController();
  const waiting = untilAborted(never, stop.signal);
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(untilAborted(never, stop.signal)).rejects.toThrow("enough");
});
