import type { Check } from "../check.ts";

const page = /<div id="root"><\/div>/;

export const reactApi: readonly Check[] = [
  { ask: "/", status: 200, gives: { "content-type": "text/html; charset=utf-8" }, text: page, apart: true },
  {
    ask: "/boards/7",
    headers: { accept: "text/html", "sec-fetch-mode": "navigate" },
    status: 200,
    text: page,
    apart: true,
  },
  { ask: "/icon.svg", status: 200, gives: { "content-type": "image/svg+xml" }, text: /^<svg /, varying: ["etag"] },
  { ask: "/api/cards", status: 200, is: [] },
  { ask: "POST /api/cards", json: { title: "Write" }, status: 201, is: { id: 1, title: "Write", done: false } },
  { ask: "/api/cards", name: "/api/cards with one", status: 200, is: [{ id: 1, title: "Write", done: false }] },
  { ask: "/api/nothing", status: 404, text: "404 Not Found" },
  { ask: "DELETE /api/cards", status: 404 },
];
