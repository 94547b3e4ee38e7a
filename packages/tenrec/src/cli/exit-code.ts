/** How the process ends; the README has the same table. */
export const EXIT = { done: 0, failed: 1, usage: 2, stopped: 3, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
