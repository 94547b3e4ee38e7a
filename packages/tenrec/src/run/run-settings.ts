import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { DEFAULT_PERMISSION, isPermission, type Permission } from "../permission.ts";

/** What a session goes on with, unless it is told otherwise. */
export interface RunSettings {
  readonly permission: Permission;
  readonly maxUsd?: number | undefined;
  readonly maxSteps?: number | undefined;
  /** True when it has nothing left to do, so that no model is needed. */
  readonly isIdle: boolean;
}

const DEFAULTS: RunSettings = { permission: DEFAULT_PERMISSION, isIdle: false };

const schema = z.object({
  permission: z.string().refine(isPermission),
  maxUsd: z.number().positive().optional(),
  maxSteps: z.int().positive().optional(),
  isIdle: z.boolean(),
});

/** The settings in a session's folder; the default ones where there are none that can be read. */
export function readSettings(folder: string): RunSettings {
  const file = fileOf(folder);
  if (!existsSync(file)) return DEFAULTS;
  try {
    return schema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return DEFAULTS;
  }
}

export function writeSettings(folder: string, settings: RunSettings): void {
  writeFileSync(fileOf(folder), JSON.stringify(settings), { mode: 0o600 });
}

function fileOf(folder: string): string {
  return join(folder, "settings.json");
}
