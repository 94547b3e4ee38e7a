import type { Check } from "../check.ts";

export const feed: readonly Check[] = [
  { ask: "/count/5", status: 200, gives: { "content-type": "text/plain" }, text: "1\n2\n3\n4\n5\n" },
  { ask: "/count/0", status: 200, text: "" },
  { ask: "POST /shout", body: "ein straßenfest", status: 200, text: "EIN STRASSENFEST" },
  { ask: "POST /shout", name: "a large body", body: "ab".repeat(200_000), status: 200, text: /^(AB){200000}$/ },
  { ask: "POST /tee", body: "twice ", status: 200, text: "twice twice " },
  { ask: "/fixed", status: 200, text: "fixed" },
  { ask: "/nowhere", status: 404, text: "Not found" },
  {
    name: "events come while the answer is being sent",
    steps: [
      { stream: "a", path: "/events" },
      { receive: "a", data: ": hello\n\n" },
      { ask: "POST /publish", body: "one\ntwo", status: 200, is: { heard: 1 } },
      { receive: "a", data: "id: 1\ndata: one\ndata: two\n\n" },
      { stream: "b", path: "/events" },
      { receive: "b", data: ": hello\n\n" },
      { ask: "POST /publish", body: "three", status: 200, is: { heard: 2 } },
      { receive: "a", data: "id: 2\ndata: three\n\n" },
      { receive: "b", data: "id: 2\ndata: three\n\n" },
      { ask: "/listeners/other", status: 200, is: 0 },
      { ask: "POST /end", status: 202 },
      { closed: "a" },
      { closed: "b" },
      { ask: "/listeners", status: 200, is: 0 },
    ],
  },
  {
    name: "who goes away is not written to any more",
    steps: [
      { stream: "a", path: "/events/gone" },
      { receive: "a", data: ": hello\n\n" },
      { ask: "/listeners/gone", status: 200, is: 1 },
      { close: "a" },
      { closed: "a" },
      { ask: "POST /publish/gone", body: "anybody?", status: 200, is: { heard: 0 }, eventually: true },
    ],
  },
];
