import { expect, test } from "vitest";
import { dataFolder } from "./data-folder.ts";

test.each([
  [{ XDG_DATA_HOME: "/x", HOME: "/h" }, "/x/tenrec"],
  [{ XDG_DATA_HOME: "", HOME: "/h" }, "/h/.local/share/tenrec"],
  [{ XDG_DATA_HOME: "relative", HOME: "/h" }, "/h/.local/share/tenrec"],
  [{ USERPROFILE: "/u" }, "/u/.local/share/tenrec"],
])("%j: %s", (env, folder) => {
  expect(dataFolder(env)).toBe(folder);
});

test("without a home it says what to set", () => {
  expect(() => dataFolder({ HOME: "here" })).toThrow("Set HOME, or XDG_DATA_HOME, to an absolute path.");
});
