/** What the generated entry of a preview uses. */
import { gateway, stepGuard } from "./adopt-env.ts";
import { hostedClass } from "./object-class.ts";
import { hostedWorker } from "./worker.ts";

interface CronController {
  readonly cron: string;
  readonly scheduledTime: number;
  noRetry(): void;
}

type Scheduled = (controller: CronController, env: unknown, ctx: unknown) => unknown;

/** The default export of the entry. */
export function worker(app: Readonly<Record<string, unknown>>): unknown {
  return hostedWorker(app["default"], stepGuard.begin);
}

/** A class of the entry, for the host to run. */
export function object(app: Readonly<Record<string, unknown>>, className: string): unknown {
  return hostedClass(app, className, gateway, stepGuard.adopt);
}

/** Runs what the app does at a time of its schedule. */
export async function runScheduled(
  app: Readonly<Record<string, unknown>>,
  cron: string,
  time: number,
  env: unknown,
  ctx: unknown,
): Promise<void> {
  stepGuard.begin(ctx);
  const original = app["default"];
  const controller = { cron, scheduledTime: time, noRetry: () => undefined };
  const owner = typeof original === "function" ? make(original, ctx, env) : original;
  const scheduled = (owner as { scheduled?: Scheduled } | undefined)?.scheduled;
  if (typeof scheduled !== "function") throw new Error("The Worker has no scheduled handler.");
  await scheduled.call(owner, controller, env, ctx);
}

function make(entrypoint: unknown, ctx: unknown, env: unknown): unknown {
  return new (entrypoint as new (ctx: unknown, env: unknown) => unknown)(ctx, env);
}
