import type { ScriptPart } from "./script.ts";

/** What can go wrong with a model call, by name: what a script says for it. For tables of what becomes of each. */
export const FAULTS: {
  readonly [
    name in
      | "401"
      | "404"
      | "429 with seconds"
      | "429 with a date"
      | "500"
      | "529"
      | "HTML with 502"
      | "HTML with 200"
      | "garbage"
      | "garbage in mid stream"
      | "empty stream"
      | "slow first byte"
      | "stall before any byte"
      | "stall in mid text"
      | "cut before any byte"
      | "cut in mid text"
      | "cut in mid call"
      | "end in mid text"
      | "end in mid call"
      | "error before any text"
      | "error in mid text"
  ]: readonly ScriptPart[];
} = {
  "401": [{ error: { status: 401, message: "The key is wrong." } }],
  "404": [{ error: { status: 404, message: "There is no such model." } }],
  "429 with seconds": [{ error: { status: 429, message: "Too many requests.", retryAfter: 3 } }],
  "429 with a date": [{ error: { status: 429, message: "Too many requests.", retryAfter: 3, retryAfterDate: true } }],
  "500": [{ error: { status: 500, message: "Something broke." } }],
  "529": [{ error: { status: 529, message: "Overloaded." } }],
  "HTML with 502": [{ raw: "<html><body>Bad gateway</body></html>", status: 502, contentType: "text/html" }],
  "HTML with 200": [{ raw: "<html><body>Please log in.</body></html>", contentType: "text/html" }],
  garbage: [{ raw: "%PDF-1.7\n\u0001\u0002 no events here" }],
  "garbage in mid stream": [{ text: "half" }, { raw: "data: {no json\n\n" }, { text: " whole" }],
  "empty stream": [{ raw: "" }],
  "slow first byte": [{ delay: 300 }, { text: "ok" }],
  "stall before any byte": [{ stall: true }],
  "stall in mid text": [{ text: "one two three four" }, { stall: true }],
  "cut before any byte": [{ cut: true }],
  "cut in mid text": [{ text: "one two three four" }, { cut: true }],
  "cut in mid call": [{ call: "write", input: { path: "a.txt", content: "one two three four" } }, { cut: true }],
  "end in mid text": [{ text: "one two three four" }, { cut: "clean" }],
  "end in mid call": [{ call: "write", input: { path: "a.txt", content: "one two three four" } }, { cut: "clean" }],
  "error before any text": [{ error: { status: 529, message: "Overloaded.", inStream: true } }],
  "error in mid text": [{ text: "one two three four" }, { error: { status: 529, message: "Overloaded." } }],
};
