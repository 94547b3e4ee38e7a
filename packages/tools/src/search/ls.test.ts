import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const files = { "/a.txt": "12345", "/.env": "x", "/src/b.ts": "", "/src/deep/c.ts": "c" };

describe("ls", () => {
  it.each([
    ["the workspace", {}, ".env\t1\na.txt\t5\nlink -> a.txt\nsrc/"],
    ["a folder", { path: "src/" }, "b.ts\t0\ndeep/"],
    ["a file", { path: "a.txt" }, "a.txt is a file of 5 bytes; use read to see it"],
    ["an empty folder", { path: "void" }, "(void is an empty folder)"],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call, fs }) => {
      await fs.mkdir("/void");
      await fs.symlink("a.txt", "/link");
      const shown = (await call("ls", input)).text;
      expect(shown).toBe(text === ".env\t1\na.txt\t5\nlink -> a.txt\nsrc/" ? `${text}\nvoid/` : text);
    }),
  );

  it("cuts a long list, and says how to see the rest", () =>
    withTools(Object.fromEntries(Array.from({ length: 503 }, (_, n) => [`/many/f${n}`, ""])), async ({ call }) => {
      const lines = (await call("ls", { path: "many" })).text.split("\n");
      expect(lines).toHaveLength(501);
      expect(lines.at(-1)).toBe('[3 more entries: offset=500 goes on; or glob pattern="a*" path="many"]');
      const rest = (await call("ls", { path: "many", offset: 500 })).text.split("\n");
      expect(rest).toEqual(["f97\t0", "f98\t0", "f99\t0"]);
      expect((await call("ls", { path: "many", offset: 600 })).text).toBe(
        "[there are only 503; offset=600 is behind the last one]",
      );
    }));

  it.each([
    [{ path: "none" }, /^No such file or directory: none\nThe nearest folder that exists is the workspace itself\.$/],
    [{ path: "/" }, /^Not allowed: \/: it is outside \/workspace\n/],
  ])("refuses %j", (input, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("ls", input)).text).toMatch(text);
    }),
  );
});
