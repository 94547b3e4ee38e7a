export { argumentText } from "./argument-text.ts";
export { essentialArgument } from "./essential-argument.ts";
export { type MarkedPiece, markedText } from "./marked-text.ts";
export { oneLine } from "./one-line.ts";
export { type Outcome, outcome } from "./outcome.ts";
export { type PatchLine, patchLines } from "./patch-lines.ts";
export { IDLE, isBusy, nextRunState, type RunState, runText } from "./run-state.ts";
export { amount, costText, durationText, NOTHING_SPENT, type Spent, spend, tokensText } from "./spent.ts";
