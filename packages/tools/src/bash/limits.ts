import type { BashOptions } from "just-bash/browser";

const MIB = 1024 * 1024;
/** What a command line may print, and what may be in a pipe at a time. */
export const MAX_OUTPUT_BYTES: number = 5 * MIB;

// The object has 128 MB for everything. Lines of a file through jq are cheap and bounded by its size, so they get
// more than the profile's 10,000; loops of the shell do not.
export const LIMITS: NonNullable<BashOptions["executionLimits"]> = {
  maxStringLength: 5 * MIB,
  maxOutputSize: MAX_OUTPUT_BYTES,
  maxLiveBytes: 32 * MIB,
  maxInputBytes: 32 * MIB,
  maxFileSystemBytes: 16 * MIB,
  maxHeredocSize: 2 * MIB,
  maxSedIterations: 20_000,
  maxJqIterations: 200_000,
  maxWorkUnits: 1_000_000,
};

/** Of the shell itself, as the profile "hardened" of just-bash has them. */
export const MAX_COMMANDS = 10_000;
/** Of all loops together. */
export const MAX_ROUNDS = 100_000;
export const MAX_CALL_DEPTH = 100;
export const MAX_SUBSTITUTION_DEPTH = 50;
export const MAX_STRING_LENGTH: number = 5 * MIB;
/** Of all variables of a shell together. */
export const MAX_VARIABLES_LENGTH: number = 32 * MIB;
/** That one command may have. */
export const MAX_WORDS = 100_000;
