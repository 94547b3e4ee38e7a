import { describe, expect, test } from "vitest";
import { Options, optionSpecs, readOptions } from "./read-options.ts";

const specs = optionSpecs("-A --after=; -i --ignore; --include=; --include-zero; --color=?; -q --quiet");

function read(args: readonly string[], abbreviations = true): unknown {
  const options = readOptions(args, { specs, abbreviations, number: "after" });
  if (!(options instanceof Options)) return options;
  const names = ["after", "ignore", "include", "include-zero", "color", "quiet"];
  return [options.all(...names).map(({ name, value }) => (value === "" ? name : `${name}=${value}`)), options.operands];
}

describe("options of a command line", () => {
  test.each([
    [
      ["-iq", "x"],
      [["ignore", "quiet"], ["x"]],
    ],
    [
      ["-A5", "-A", "6", "--after=7", "--after", "8"],
      [["after=5", "after=6", "after=7", "after=8"], []],
    ],
    [["-iA3"], [["ignore", "after=3"], []]],
    [
      ["-12", "-i3"],
      [["after=12", "ignore", "after=3"], []],
    ],
    [
      ["x", "-i", "--", "-q", "-"],
      [["ignore"], ["x", "-q", "-"]],
    ],
    [
      ["-", "--color", "x"],
      [["color"], ["-", "x"]],
    ],
    [["--color=always"], [["color=always"], []]],
    [["--ig", "--incl=a"], { problem: "ambiguous", option: "--incl" }],
    [
      ["--include", "a"],
      [["include=a"], []],
    ],
    [["--include-z"], [["include-zero"], []]],
    [["--nope=1"], { problem: "unknown", option: "--nope" }],
    [["-iZ"], { problem: "unknown", option: "-Z" }],
    [["-A"], { problem: "missing", option: "-A" }],
    [["--after"], { problem: "missing", option: "--after" }],
    [["--quiet=1"], { problem: "unwanted", option: "--quiet" }],
  ])("%j", (args, wanted) => {
    expect(read(args)).toEqual(wanted);
  });

  test("are not cut where that is not wanted", () => {
    expect(read(["--ig"], false)).toEqual({ problem: "unknown", option: "--ig" });
  });

  test("of opposites the last one counts", () => {
    const options = readOptions(["-i", "--quiet", "-i"], { specs, abbreviations: false });
    if (!(options instanceof Options)) throw new Error("not read");
    expect(options.isOn("ignore", "quiet")).toBe(true);
    expect(options.isOn("quiet", "ignore")).toBe(false);
    expect(options.count("ignore")).toBe(2);
  });
});
