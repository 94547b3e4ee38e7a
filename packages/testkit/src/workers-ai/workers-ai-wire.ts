import type { Json } from "@tenrec/protocol";
import { readRequest } from "../chat/read-request.ts";
import { renderResponse } from "../chat/render-response.ts";
import { chatRendering } from "../chat/render-stream.ts";
import { object } from "../wire/read-fields.ts";
import type { Failure, Wire } from "../wire/wire.ts";

/**
 * What the Workers AI binding and `ai/run` speak, for one model: the inputs of Chat Completions without the model's name, and
 * its answers. Older models have a form of their own, `{ response }`, which this does not play.
 */
export function workersAiWire(model: string): Wire {
  return {
    read(body) {
      const { includeUsage: _always, ...request } = readRequest({ ...object("the inputs", body), model });
      return { ...request, render: (head) => chatRendering(head, true), whole: renderResponse };
    },
    error: errorForm,
  };
}

/** Workers AI's own error numbers, see https://developers.cloudflare.com/workers-ai/platform/errors/. */
const CODES: Readonly<Record<number, number>> = {
  400: 5004,
  401: 10000,
  403: 5018,
  404: 5007,
  408: 3007,
  413: 3006,
  429: 3036,
  529: 3040,
};

function errorForm({ status, message, code }: Failure): Json {
  const number = code === undefined ? (CODES[status] ?? 3043) : Number(code);
  return { success: false, result: null, messages: [], errors: [{ code: number, message }] };
}
