import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTools } from "../with-tools.ts";
import { readAll } from "./with-read-all.ts";
import differences from "./known-differences.json" with { type: "json" };

// Scenarios of another project, which are not copied here.
const folder = process.env["TENREC_CASES"];

/** Most of them that may be a known difference. */
const MOST_DIFFERENCES = 0.03;

interface Case {
  readonly id: string;
  readonly before: Readonly<Record<string, string>>;
  readonly patch: string;
  readonly after: Readonly<Record<string, string>>;
}

const { size, known, partial } = differences;
const cases: readonly Case[] = folder
  ? (JSON.parse(readFileSync(join(folder, "apply-patch.json"), "utf8")) as Case[])
  : Array.from({ length: size }, (_, at) => ({
      id: `case ${at + 1} of ${size}: TENREC_CASES is not set`,
      before: {},
      patch: "",
      after: {},
    }));

describe("the scenarios of Codex", () => {
  test(`at most ${MOST_DIFFERENCES * 100} % are known differences`, () => {
    expect(known.length).toBeLessThanOrEqual(size * MOST_DIFFERENCES);
    expect(cases.length).toBe(size);
  });

  for (const { id, before, patch, after } of cases) {
    test.skipIf(!folder)(`${id}`, () =>
      withTools(toFiles(before), async (tools) => {
        const output = await tools.call("apply_patch", { patch });
        const isRefused = JSON.stringify(after) === JSON.stringify(before) || partial.includes(id);
        expect(output.isError ?? false).toBe(isRefused);
        const wanted = toFiles(isRefused ? before : after);
        // A known difference that is none any more has to leave the list.
        if (known.some((difference: { id: string }) => difference.id === id)) {
          expect(await readAll(tools.fs)).not.toEqual(wanted);
        } else expect(await readAll(tools.fs)).toEqual(wanted);
      }),
    );
  }
});

function toFiles(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [`/${path}`, text]));
}
