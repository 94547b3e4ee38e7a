import { describe, expect, it } from "vitest";
import { withTools } from "./with-tools.ts";

describe("todo", () => {
  it("echoes the list and carries it as data", () =>
    withTools({}, async ({ call }) => {
      const items = [
        { text: "read", status: "done" },
        { text: "edit", status: "in-progress" },
        { text: "test", status: "pending" },
      ];
      expect(await call("todo", { items })).toEqual({
        text: "2 of 3 to do\n[x] read\n[>] edit\n[ ] test",
        data: { items },
      });
    }));

  it("names the entry that is wrong", () =>
    withTools({}, async ({ call }) => {
      const output = await call("todo", { items: [{ text: "a", status: "doing" }] });
      expect(output.text).toMatch(/items\.0\.status: .*pending/);
    }));
});
