import type { Check } from "../check.ts";

const sweep = "/__scheduled?cron=*%2F5+*+*+*+*";

export const cron: readonly Check[] = [
  { ask: "/", status: 200, is: [] },
  { ask: sweep, status: 200, text: "Ran scheduled event" },
  {
    ask: "/",
    name: "/ after one",
    status: 200,
    is: [["sweep", 1, { cron: "*/5 * * * *", recent: true }]],
    eventually: true,
  },
  { ask: "/__scheduled?cron=0+3+*+*+mon", status: 200 },
  { ask: sweep, name: "the first again", status: 200 },
  {
    ask: "/",
    name: "/ after all",
    status: 200,
    gives: { "cache-control": "no-store" },
    is: [
      ["backup", 1, { cron: "0 3 * * mon", recent: true }],
      ["sweep", 2, { cron: "*/5 * * * *", recent: true }],
    ],
    eventually: true,
  },
  { ask: "/__scheduled?cron=9+9+9+9+9", name: "a time that the handler refuses", status: 500, apart: true },
];
