import type { DurableEvent } from "@tenrec/protocol";
import type { ModelMessage } from "ai";
import { liveEvents } from "./live-events.ts";
import { MessageFold } from "./message-fold.ts";
import type { MessageOptions } from "./render-messages.ts";

/**
 * What the model is shown of a conversation: a fold of the same events as everything else, without what was undone. A
 * prompt stands where its turn begins, a steering one before the next model call. The sequence is legal for every provider, whatever happened: a call
 * has exactly one result, behind the message that made it.
 */
export function toModelMessages(all: readonly DurableEvent[], options: MessageOptions): ModelMessage[] {
  const fold = new MessageFold(options);
  for (const event of liveEvents(all)) fold.add(event);
  return fold.messages();
}
