import { resolve } from "node:path";
import type { ParsedCommand } from "../cli/parse-command.ts";
import { UsageError } from "../cli/usage-error.ts";
import { isPermission, type Permission } from "../permission.ts";

/** What `tenrec run` was asked for. Paths are absolute. */
export interface RunOptions {
  readonly words: readonly string[];
  /** Absent with `session`: that has its folder. */
  readonly dir: string;
  readonly session: string | undefined;
  readonly model: string | undefined;
  readonly permission: Permission | undefined;
  readonly maxUsd: number | undefined;
  readonly maxSteps: number | undefined;
  readonly images: readonly string[];
  readonly json: boolean;
  readonly apply: boolean;
  /** A path, or `-` for standard output. */
  readonly patch: string | undefined;
}

/** Throws `UsageError` for values that are none, and for options that exclude each other. */
export function readRunOptions({ words, switches, values }: ParsedCommand, cwd: string): RunOptions {
  const one = (name: string): string | undefined => values.get(name)?.[0];
  const json = switches.has("json");
  const apply = switches.has("apply");
  const patch = one("patch");
  const session = one("session");
  if (apply && patch !== undefined) throw new UsageError("Choose one of --apply and --patch.");
  if (json && patch === "-")
    throw new UsageError("--json and --patch - both want standard output: give --patch a file.");
  if (session !== undefined && one("dir") !== undefined) {
    throw new UsageError("--session goes on in the folder that it began with: leave out --dir.");
  }
  const permission = one("permission");
  return {
    words,
    session,
    json,
    apply,
    dir: resolve(cwd, one("dir") ?? "."),
    model: one("model"),
    permission: permission !== undefined && isPermission(permission) ? permission : undefined,
    maxUsd: positive("--max-cost", one("max-cost"), "an amount of US dollars such as 0.50"),
    maxSteps: positive("--max-steps", one("max-steps"), "a whole number from 1 on", Number.isInteger),
    images: (values.get("image") ?? []).map((file) => resolve(cwd, file)),
    patch: patch === undefined || patch === "-" ? patch : resolve(cwd, patch),
  };
}

function positive(
  option: string,
  text: string | undefined,
  wanted: string,
  isGood: (value: number) => boolean = Number.isFinite,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && isGood(value) && value > 0) return value;
  throw new UsageError(`${option} needs ${wanted}; "${text}" is none.`);
}
