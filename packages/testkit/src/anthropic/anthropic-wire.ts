import type { Wire } from "../wire/wire.ts";
import { cacheBlocks } from "./cache-blocks.ts";
import { errorForm } from "./form.ts";
import { readRequest } from "./read-request.ts";
import { renderResponse } from "./render-response.ts";
import { anthropicRendering } from "./render-stream.ts";

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  read: (body) => ({
    ...readRequest(body),
    blocks: cacheBlocks(body),
    render: anthropicRendering,
    whole: renderResponse,
  }),
  error: errorForm,
};
