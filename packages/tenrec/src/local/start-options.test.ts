import { expect, test } from "vitest";
import { parseStartOptions } from "./start-options.ts";

test.each([
  [[], { run: true }],
  [["--port", "9000"], { run: true, port: 9000 }],
  [["--no-run", "--port=1"], { run: false, port: 1 }],
])("%j", (args, expected) => expect(parseStartOptions(args, "npm start")).toEqual(expected));

test.each([[["--port", "x"]], [["--port", "70000"]], [["--what"]], [["folder"]]])(
  "refuses %j with the usage",
  (args) => {
    expect(() => parseStartOptions(args, "npm start")).toThrow(/usage: npm start/);
  },
);
