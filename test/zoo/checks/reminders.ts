import type { Check } from "../check.ts";

export const reminders: readonly Check[] = [
  { ask: "/home/state", status: 200, is: { name: "home", done: [], waiting: [], hasAlarm: false } },
  { ask: "POST /home/add?in=100000", body: "much later", status: 201, is: { id: 1 } },
  {
    ask: "/home/state",
    name: "/home/state with one",
    status: 200,
    is: { name: "home", done: [], waiting: ["much later"], hasAlarm: true },
  },
  { ask: "POST /home/add?in=100", body: "soon", status: 201, is: { id: 2 } },
  {
    ask: "/home/state",
    name: "/home/state when that was due",
    status: 200,
    is: { name: "home", done: ["soon"], waiting: ["much later"], hasAlarm: true },
    eventually: true,
  },
  { ask: "POST /home/cancel", status: 204 },
  {
    ask: "/home/state",
    name: "/home/state without an alarm",
    status: 200,
    is: { name: "home", done: ["soon"], waiting: ["much later"], hasAlarm: false },
  },
  { ask: "POST /work/add", body: "fail once", status: 201 },
  {
    ask: "/work/state",
    status: 200,
    is: { name: "work", done: ["failed with null", "fail once, then 1"], waiting: [], hasAlarm: false },
    eventually: true,
  },
  { ask: "/any/tally", status: 200, is: [{ home: 1, work: 1 }, true] },
  { ask: "POST /home/clear", status: 200, is: 0 },
  {
    ask: "/home/state",
    name: "/home/state when cleared",
    status: 200,
    is: { name: "home", done: [], waiting: [], hasAlarm: false },
  },
  {
    ask: "/home/values",
    status: 200,
    is: ["2001-09-09T01:46:40.000Z", [1, 2], [1, 2], "1180591620717411303424", "t", true],
  },
  {
    ask: "/home/sql",
    status: 200,
    is: { columns: ["n", "x", "s", "l"], rows: [{ n: 1, x: 0.5, s: "s", l: 1 }], read: true },
  },
  { ask: "/home/ids", status: 200, is: [true, true, null, "home", "TypeError", 1] },
  { ask: "/home/explode", status: 200, is: { name: "RangeError", message: "bang" } },
  {
    ask: "PUT /home/anything",
    body: "text",
    status: 299,
    gives: { "x-list": "home" },
    text: "PUT /home/anything: text",
  },
];
