import { openAIError } from "../chat/form.ts";
import { promptBlocks } from "../script/estimate-usage.ts";
import type { Wire } from "../wire/wire.ts";
import { ending, itemForm, itemId, responseForm } from "./form.ts";
import { itemStore } from "./item-store.ts";
import { readRequest } from "./read-request.ts";
import { responsesRendering } from "./render-stream.ts";

/** OpenAI Responses. It remembers what it said, unless asked not to: later requests refer to it. */
export function responsesWire(): Wire {
  const store = itemStore();
  return {
    read(body) {
      const request = readRequest(body, store);
      const { encrypted } = request;
      const items = request.store ? store : undefined;
      return {
        ...request,
        blocks: promptBlocks(request.conversation),
        render: (head) => responsesRendering(head, { encrypted, items }),
        whole({ content, reason }, head) {
          const output = content.map((said, index) => {
            const id = itemId(head, said.type, index);
            items?.keep(id, said);
            return itemForm(id, said, "completed", encrypted);
          });
          const { status, more } = ending(reason);
          return responseForm(head, status, output, more);
        },
      };
    },
    error: openAIError,
  };
}
