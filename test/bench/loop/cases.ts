import { bytesCase } from "./cases/bytes.ts";
import { memoryCase } from "./cases/memory.ts";
import { rowsCase } from "./cases/rows.ts";
import { stepsCase } from "./cases/steps.ts";
import type { Case } from "./context.ts";

/** In the order in which they run. */
export const loopCases: readonly Case[] = [stepsCase("in-process"), stepsCase("http"), rowsCase, bytesCase, memoryCase];
