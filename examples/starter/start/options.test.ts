import { expect, test } from "vitest";
import { parseOptions } from "./options.ts";

test.each([
  [[], { run: true }],
  [["--port", "9000"], { run: true, port: 9000 }],
  [["--no-run", "--port=1"], { run: false, port: 1 }],
])("%j", (args, expected) => expect(parseOptions(args)).toEqual(expected));

test.each([[["--port", "x"]], [["--port", "70000"]], [["--what"]], [["folder"]]])(
  "refuses %j with the usage",
  (args) => {
    expect(() => parseOptions(args)).toThrow(/usage: npm start/);
  },
);
