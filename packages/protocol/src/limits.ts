/** Largest prompt that `submit` accepts, in bytes of its parts as UTF-8 JSON. More is refused with `prompt-too-large`. */
export const MAX_PROMPT_BYTES: number = 1024 * 1024;

/** A tool's text is cut at this many lines or at `MAX_OUTPUT_BYTES`, whichever comes first. */
export const MAX_OUTPUT_LINES = 2000;

/** A tool's text is cut at this many bytes of UTF-8 or at `MAX_OUTPUT_LINES`, whichever comes first. */
export const MAX_OUTPUT_BYTES: number = 50 * 1024;

/** The folder at which a model and its shell see the tree. Tree path `/src/a.ts` is `/workspace/src/a.ts` there. */
export const WORKSPACE_ROOT = "/workspace";
