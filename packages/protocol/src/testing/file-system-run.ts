import { type ErrorCode, hasCode } from "../errors.ts";
import type { FileSystem } from "../file-system.ts";
import { check, rejection } from "./check.ts";

/** An empty tree. */
export interface FileSystemSubject {
  readonly fs: FileSystem;
  /** True where a file of 100 MB is accepted and time for it is there: without it, that case is passed over. */
  readonly takesHugeFiles?: boolean;
  /** Told when a case ends early, having shown nothing, since the file system leaves out what it is about. */
  readonly passOver?: (what: string) => void;
}

/** A case on an empty tree. */
export type FileSystemRun = (fs: FileSystem, subject: FileSystemSubject) => Promise<void>;

/** Checks that a call fails with one of these codes. */
export async function fails(call: Promise<unknown>, ...codes: ErrorCode[]): Promise<void> {
  const error = await rejection(call, codes.join(" or "));
  check(
    codes.some((code) => hasCode(error, code)),
    `${codes.join(" or ")}, not ${String(error)}`,
  );
}
