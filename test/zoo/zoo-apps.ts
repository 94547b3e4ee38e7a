import { chat } from "./checks/chat.ts";
import { cron } from "./checks/cron.ts";
import { d1Form } from "./checks/d1-form.ts";
import { feed } from "./checks/feed.ts";
import { hono } from "./checks/hono.ts";
import { imports } from "./checks/imports.ts";
import { itty } from "./checks/itty.ts";
import { kvCounter } from "./checks/kv-counter.ts";
import { preactSsr } from "./checks/preact-ssr.ts";
import { reactApi } from "./checks/react-api.ts";
import { reminders } from "./checks/reminders.ts";
import { selfService } from "./checks/self-service.ts";
import { site } from "./checks/site.ts";
import { spa } from "./checks/spa.ts";
import { TEMPLATES } from "./checks/templates.ts";
import { toolbox } from "./checks/toolbox.ts";
import { uploads } from "./checks/uploads.ts";
import type { ZooApp } from "./zoo-app.ts";

/** Every app of the zoo. */
export const ZOO: readonly ZooApp[] = [
  { name: "hono", checks: hono },
  { name: "itty", checks: itty },
  { name: "d1-form", checks: d1Form, before: [["wrangler", "d1", "migrations", "apply", "DB", "--local"]] },
  { name: "kv-counter", checks: kvCounter },
  { name: "chat", checks: chat },
  { name: "site", checks: site },
  { name: "cron", checks: cron },
  { name: "uploads", checks: uploads },
  { name: "feed", checks: feed },
  { name: "react-api", checks: reactApi, before: [["vite", "build"]] },
  { name: "preact-ssr", checks: preactSsr },
  { name: "spa", checks: spa },
  { name: "reminders", checks: reminders },
  { name: "self-service", checks: selfService },
  { name: "imports", checks: imports },
  { name: "toolbox", checks: toolbox },
  ...TEMPLATES,
];

/** The packages that they import, of those that are installed here. */
export const ZOO_PACKAGES = [
  "chanfana",
  "hono",
  "itty-router",
  "preact",
  "preact-render-to-string",
  "react",
  "react-dom",
  // Its needs are not those of the others, and nothing of them is run.
  "@babel/standalone",
] as const;
