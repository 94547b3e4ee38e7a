import { setTimeout as sleep } from "node:timers/promises";
import type { ShownApp } from "./app/modular-app.ts";
import type { Project } from "./context.ts";

/** How long a text may take, until it counts as never served. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1;

/** Asks again and again until a revision is shown, as a browser that is reloaded does. */
export async function untilShown(project: Project, { path, mark }: ShownApp, revision: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const text = await project.ask(path).catch((error: unknown) => String(error));
    if (text.includes(mark(revision))) return;
    if (performance.now() > end) throw new Error(`revision ${revision} is not shown: ${text.slice(0, 500)}`);
    await sleep(PAUSE_MS);
  }
}
