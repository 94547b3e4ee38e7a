import type { Wire } from "../wire/wire.ts";
import { openAIError } from "./form.ts";
import { readRequest } from "./read-request.ts";
import { renderResponse } from "./render-response.ts";
import { chatRendering } from "./render-stream.ts";

/** OpenAI Chat Completions, which many others speak too. */
export const chatWire: Wire = {
  read(body) {
    const { includeUsage, ...request } = readRequest(body);
    return { ...request, render: (head) => chatRendering(head, includeUsage), whole: renderResponse };
  },
  error: openAIError,
};
