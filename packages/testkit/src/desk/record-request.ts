import type { Json } from "@tenrec/protocol";

/** A request to a model, as it came in. */
export interface RecordedRequest {
  /** Of the address; `binding` for one through a Workers AI binding. */
  readonly path: string;
  /** All of them; of keys only that they were there. */
  readonly headers: Readonly<Record<string, string>>;
  /** What it says, or its text when that is not JSON. */
  readonly body: Json;
  /** The model that was asked for. */
  readonly model?: string;
  /** The step that answered, counted from 0; absent when none did. */
  readonly step?: number;
  /** The files in the conversation, as data URLs or addresses, oldest first; absent when there are none. */
  readonly media?: readonly string[];
}

/** How many requests a server remembers of one model. A long run of large ones would fill the memory. */
export const KEPT_REQUESTS = 200;

/** The requests that came in, oldest first; of each model the newest {@link KEPT_REQUESTS}. */
export interface RequestLog {
  readonly requests: readonly RecordedRequest[];
  /** Records a request; what it returns adds what turns out later. */
  add(request: RecordedRequest): (more: Partial<RecordedRequest>) => void;
}

export function requestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const forget = (model: string | undefined): void => {
    const same = requests.filter((request) => request.model === model);
    const [oldest] = same;
    if (oldest && same.length > KEPT_REQUESTS) requests.splice(requests.indexOf(oldest), 1);
  };
  return {
    requests,
    add(request) {
      let current = request;
      requests.push(current);
      forget(current.model);
      return (more) => {
        const index = requests.indexOf(current);
        // Others of the model came since, and it is forgotten.
        if (index < 0) return;
        const { model } = current;
        requests[index] = current = { ...current, ...more };
        if (current.model !== model) forget(current.model);
      };
    },
  };
}

const KEYS = ["authorization", "x-api-key", "cf-aig-authorization"];

/** Headers as plain data, with `***` in the place of keys. */
export function withoutKeys(headers: Headers): Record<string, string> {
  const entries = [...headers].map(([name, value]): [string, string] => {
    if (!KEYS.includes(name)) return [name, value];
    return [name, value.startsWith("Bearer ") ? "Bearer ***" : "***"];
  });
  return Object.fromEntries(entries);
}

/** The body as JSON where it is that. */
export function readBody(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
