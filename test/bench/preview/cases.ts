import { editCases } from "./cases/edit.ts";
import type { Case } from "./context.ts";

export const previewCases: readonly Case[] = [...editCases];
