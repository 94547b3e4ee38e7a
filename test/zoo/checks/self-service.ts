import type { Check } from "../check.ts";

export const selfService: readonly Check[] = [
  { ask: "/", status: 200, text: "10.00 EUR in ADMIN CATALOG CURRENCY RATES SELF STOCK" },
  { ask: "/self", status: 200, gives: { "x-depth": "0" }, text: "2 1 bottom" },
  { ask: "POST /self?depth=5", body: "x", status: 200, text: "5 4 3 2 1 bottom" },
  { ask: "/catalog", status: 200, gives: { "x-from": "catalog" }, text: "catalog: PUT /items" },
  { ask: "POST /admin", body: "hello", status: 200, is: { admin: true, currency: "EUR", body: "hello" } },
  {
    ask: "/stock",
    status: 200,
    is: {
      refilled: 0,
      stock: 7,
      visited: 2,
      seen: [
        ["mug", 7],
        ["cup", 0],
      ],
    },
  },
  { ask: "/cart", status: 200, is: { size: 3, total: "15.00 EUR", property: 3, pipelined: 3 } },
  { ask: "/lines", status: 200, text: "one\ntwo\n" },
  { ask: "/refuse", status: 200, is: { name: "RangeError", message: "moon is not for sale", range: true } },
  { ask: "/exports", status: 200, is: 7 },
  { ask: "/missing", status: 200, is: { message: 'The RPC receiver does not implement the method "nothing".' } },
  { ask: "/nowhere", status: 404, text: "Not found" },
];
