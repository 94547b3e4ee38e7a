import { editCases } from "./cases/edit.ts";
import { firstCases } from "./cases/first.ts";
import { loadCases } from "./cases/load.ts";
import type { Case } from "./context.ts";

/** In the order in which they run: the first ones start processes anew, and nobody has been asked for an app in those. */
export const previewCases: readonly Case[] = [...editCases, ...loadCases, ...firstCases];
