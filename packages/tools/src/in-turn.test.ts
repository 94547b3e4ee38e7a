import { describe, expect, it } from "vitest";
import { withTools } from "./with-tools.ts";

describe("calls side by side in one set of tools", () => {
  it("keeps what each of them changed in the same file", () =>
    withTools({ "/a": "1.\n2.\n3.\n4.\n" }, async ({ call, fs }) => {
      const outputs = await Promise.all([
        ...[1, 2, 3].map((n) => call("edit", { path: "a", edits: [{ oldText: `${n}.`, newText: `${n}!` }] })),
        call("edit", { path: "a", edits: [{ oldText: "missing", newText: "x" }] }),
        call("apply_patch", { patch: "*** Begin Patch\n*** Update File: a\n@@\n-4.\n+4!\n*** End Patch" }),
        call("bash", { command: "echo 5! >> a" }),
      ]);
      expect(outputs.map(({ isError = false }) => isError)).toEqual([false, false, false, true, false, false]);
      expect(await fs.readFile("/a")).toBe("1!\n2!\n3!\n4!\n5!\n");
    }));

  it("leaves out a call that is aborted while it waits, and goes on", () =>
    withTools({ "/a": "1\n" }, async ({ call, fs }) => {
      const abort = new AbortController();
      const first = call("bash", { command: "sleep 0.05; echo 2 >> a" });
      const second = call("bash", { command: "echo 3 >> a" }, abort.signal);
      const third = call("bash", { command: "echo 4 >> a" });
      abort.abort(new Error("enough"));
      await expect(second).rejects.toThrow("enough");
      await Promise.all([first, third]);
      expect(await fs.readFile("/a")).toBe("1\n2\n4\n");
    }));
});
