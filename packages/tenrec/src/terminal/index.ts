export { diffText } from "./diff-text.ts";
export { choosePaint, type Paint } from "./paint.ts";
export { type PrinterOptions, SessionPrinter } from "./session-printer.ts";
export { summary } from "./summary.ts";
export { type WrapStream, wrapStream } from "./wrap-stream.ts";
