import type { WatchFrame } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { freshEvents } from "./client/fresh-events.ts";
import { connect } from "./client/index.ts";
import { clientOf, insideOf, watch } from "./with-worker.ts";

function hasText(text: string): (frame: WatchFrame) => boolean {
  return (frame) => frame.type === "event" && frame.event.type === "text-delta" && frame.event.text.includes(text);
}

test("a watcher that comes back in the middle of a text gets each piece of it once", async () => {
  const say = [{ text: "The quick brown " }, { delay: 400 }, { text: "fox jumps." }];
  const session = await clientOf("mid-text", [{ say }]);
  const first = await watch("mid-text", `session=${session.id}`);
  await session.submit("go", { operationId: "op" });
  await first.until(hasText("brown"));
  first.close();
  const fresh = freshEvents(0);
  let text = "";
  const take = (frames: readonly WatchFrame[]): void => {
    for (const frame of frames) {
      const event = frame.type === "event" ? fresh.take(frame.event) : undefined;
      if (event?.type === "text-delta") text += event.text;
    }
  };
  take(first.frames);
  const second = await watch("mid-text", `session=${session.id}&after=${fresh.after}`);
  await second.until((frame) => frame.type === "event" && frame.event.type === "turn-end");
  take(second.frames);
  expect(text).toBe("The quick brown fox jumps.");
  // Without it, the beginning would stand there twice.
  expect(second.frames.some(hasText("The quick"))).toBe(true);
});

test("a history of large prompts comes in messages that a socket can carry", async () => {
  const session = await clientOf("large", []);
  const url = `data:image/png;base64,${"A".repeat(1_000_000)}`;
  const parts = [{ type: "file", mediaType: "image/png", url }] as const;
  const last = await insideOf("large", ({ workspace: { journal } }) => {
    for (let n = 1; n <= 12; n += 1) {
      journal.append(session.id, [{ type: "input", operationId: `o${n}`, parts, whenBusy: "followUp" }]);
    }
    return journal.state(session.id).lastSeq;
  });
  const watching = await watch("large", `session=${session.id}`);
  await watching.until((frame) => frame.type === "event" && "seq" in frame.event && frame.event.seq === last);
  expect(Math.max(...watching.sizes)).toBeLessThan(4 * 1024 * 1024);
  watching.close();
});

test("an address where nobody answers says so", async () => {
  const fetchNothing = (): Promise<Response> => Promise.reject(new TypeError("fetch failed"));
  const agent = connect("ws://localhost:9/agents/coder/shop", { token: "t", fetch: fetchNothing });
  await expect(agent.sessions.list()).rejects.toMatchObject({
    code: "unreachable",
    message: "Nobody answers at http://localhost:9. Check the address, and that the agent is running there.",
  });
});
