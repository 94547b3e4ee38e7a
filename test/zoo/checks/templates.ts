import type { Check } from "../check.ts";
import type { ZooApp } from "../zoo-app.ts";

const notFound: Check = { ask: "/nothing", status: 404, text: "Not Found" };

const withAssets: readonly Check[] = [
  {
    ask: "/",
    status: 200,
    gives: { "content-type": "text/html; charset=utf-8" },
    text: /<h1 id="heading">/,
    varying: ["etag"],
  },
  { ask: "/message", status: 200, text: "Hello, World!" },
  { ask: "/random", status: 200, text: /^[0-9a-f-]{36}$/, varies: /[0-9a-f-]{36}/ },
  notFound,
  { ask: "/index.html", status: 307, gives: { location: "/" } },
];

const helloWorld: readonly Check[] = [
  { ask: "/", status: 200, text: "Hello World!" },
  { ask: "POST /any/path?x", body: "x", status: 200, text: "Hello World!" },
];

const durableObject: readonly Check[] = [{ ask: "/", status: 200, text: "Hello, world!" }];

const objectWithAssets: readonly Check[] = [
  { ask: "/", status: 200, text: /<html/, varying: ["etag"] },
  { ask: "/hello", status: 200, text: "Hello, world!" },
  { ask: "POST /any", status: 200, text: "Hello, world!" },
];

const scheduled: readonly Check[] = [
  { ask: "/", status: 200, text: /^To test the scheduled handler, .*\{origin\}\/__scheduled\?cron=/ },
];

const openapi: readonly Check[] = [
  { ask: "/", status: 200, gives: { "content-type": "text/html; charset=UTF-8" }, text: /swagger/i },
  { ask: "/openapi.json", status: 200, text: /"\/api\/tasks\/\{taskSlug\}"/ },
  { ask: "/api/tasks?page=0&isCompleted=true", status: 200 },
  { ask: "/api/tasks?page=x", status: 400 },
  { ask: "/api/tasks/some-task", status: 200 },
  { ask: "POST /api/tasks", json: { name: "n", slug: "s", completed: false, due_date: "2026-11-30" }, status: 201 },
  {
    ask: "POST /api/tasks",
    name: "POST /api/tasks with a date that is none",
    json: { name: "n", slug: "s", due_date: "soon" },
    status: 400,
  },
  { ask: "DELETE /api/tasks/s", status: 200 },
];

const assetsOnly: readonly Check[] = [
  { ask: "/", status: 200, text: /<html/, varying: ["etag"] },
  { ask: "/nothing", status: 404 },
];

const honoWithAssets: readonly Check[] = [
  { ask: "/", status: 200, text: /<html/, varying: ["etag"] },
  { ask: "/message", status: 200, text: "Hello Hono!" },
  { ask: "/nothing", status: 404, text: "404 Not Found" },
];

function template(path: string, checks: readonly Check[], generated: ZooApp["generated"] = {}): ZooApp {
  return { name: `c3:${path}`, template: path, generated, checks };
}

/** The templates of `create-cloudflare` that need no generator, or only the `package.json` of one. */
export const TEMPLATES: readonly ZooApp[] = [
  template("hello-world/js", helloWorld),
  template("hello-world/ts", helloWorld),
  template("hello-world-with-assets/js", withAssets),
  template("hello-world-with-assets/ts", withAssets),
  template("hello-world-assets-only/templates", assetsOnly),
  template("hello-world-durable-object/js", durableObject),
  template("hello-world-durable-object/ts", durableObject),
  template("hello-world-durable-object-with-assets/js", objectWithAssets),
  template("hello-world-durable-object-with-assets/ts", objectWithAssets),
  template("scheduled/js", scheduled),
  template("scheduled/ts", scheduled),
  template("openapi/ts", openapi),
  template("hono/workers/templates", honoWithAssets, {
    "package.json": JSON.stringify({ private: true, type: "module", dependencies: { hono: "^4" } }),
  }),
];
