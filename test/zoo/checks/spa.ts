import type { HttpCheck } from "../check.ts";

const navigation = { "sec-fetch-mode": "navigate", accept: "text/html" };

const CHECKS: readonly HttpCheck[] = [
  { ask: "/", status: 200, text: /<title>Planner<\/title>/ },
  { ask: "/assets/app.js", status: 200, gives: { "content-type": "text/javascript; charset=utf-8" } },
  {
    ask: "/plans/7",
    name: "a page of the router, gone to",
    headers: navigation,
    status: 200,
    text: /<title>Planner<\/title>/,
  },
  { ask: "/plans/7", name: "a page of the router, fetched", status: 200, text: /<title>Planner<\/title>/ },
  { ask: "/index.html", status: 307, gives: { location: "/" } },
  { ask: "/api/plans", status: 200, is: ["sow", "water", "reap"] },
  { ask: "/api/plans", name: "/api/plans, gone to", headers: navigation, status: 200, is: ["sow", "water", "reap"] },
  { ask: "/api/nothing", status: 404, text: "No /api/nothing" },
  { ask: "/api/docs/", status: 200, text: "<h1>API</h1>\n" },
  { ask: "/api/docs/nothing", status: 200, text: /<title>Planner<\/title>/ },
  { ask: "/private/plans", status: 403, text: "Closed" },
  {
    ask: "/private/plans",
    name: "/private/plans with the key",
    headers: { "x-key": "open" },
    status: 200,
    gives: { "x-private": "1" },
    text: "<h1>Secret plans</h1>\n",
  },
  {
    ask: "/private/plans.html",
    name: "its file with the key",
    headers: { "x-key": "open" },
    status: 307,
    gives: { "x-private": "1", location: "/private/plans" },
  },
  { ask: "/api/asset", status: 200, is: { status: 200, type: "text/javascript; charset=utf-8", lines: 4 } },
  { ask: "/api/page", status: 200, text: /<title>Planner<\/title>/ },
  { ask: "POST /api/plans", body: "x", status: 200 },
  { ask: "POST /elsewhere", body: "x", status: 405 },
  { ask: "POST /assets/app.js", body: "x", status: 405 },
  { ask: "HEAD /assets/app.js", status: 200, text: "" },
];

export const spa: readonly HttpCheck[] = CHECKS.map((check) => ({ ...check, varying: ["etag"] }));
