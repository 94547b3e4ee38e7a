import type { Check } from "../check.ts";

const admin = { "x-token": "s3cret # token" };

export const kvCounter: readonly Check[] = [
  { ask: "/last", status: 200, is: { version: null } },
  { ask: "/", status: 200, gives: { "content-type": "text/plain;charset=UTF-8" }, text: "Hello, visitor 1 of /!" },
  { ask: "/", name: "/ again", headers: { "user-agent": "zoo/1" }, status: 200, text: "Hello, visitor 2 of /!" },
  { ask: "/last", name: "/last after visits", status: 200, is: { agent: "zoo/1", version: 1 }, eventually: true },
  { ask: "/about", status: 200, text: "Hello, visitor 1 of /about!" },
  { ask: "/admin", name: "/admin without the token", status: 403, text: "Forbidden" },
  {
    ask: "/admin",
    headers: admin,
    status: 200,
    is: [
      { name: "count:/", page: "/", even: true },
      { name: "count:/about", page: "/about", even: false },
    ],
  },
  { ask: "/blob", status: 404 },
  { ask: "PUT /blob", body: "some\0bytes", status: 201, text: "stored\n" },
  {
    ask: "/blob",
    name: "/blob that was put",
    status: 200,
    gives: { "content-type": "application/octet-stream" },
    text: "some\0bytes",
  },
  { ask: "DELETE /admin", headers: admin, status: 200, is: { deleted: 4 } },
  { ask: "/", name: "/ from the start", status: 200, text: "Hello, visitor 1 of /!" },
];
