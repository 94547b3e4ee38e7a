import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const ENDED =
  "bash: a redirection failed, and the script ended there. What it printed before is lost, what it changed is kept.";

describe("a redirection to what cannot be written", () => {
  it.each([
    ["what git keeps", "> .git/HEAD", "Not allowed: .git/HEAD", "Use a path inside /workspace."],
    ["below a file", ">> f/y", "Not a directory: f", "Check it with ls."],
    ["a ring of links", "> ring", "Too many symbolic links: ring", ""],
    ["a name that is too long", `2> ${"n".repeat(300)}`, "a name has more than 255 bytes", ""],
  ])("%s: says what happened, and keeps what was done before", (_name, redirection, reason, advice) =>
    withTools({ "/f": "x" }, async ({ call, fs }) => {
      await call("bash", { command: "ln -s other ring; ln -s ring other" });
      const output = await call("bash", { command: `echo kept > before; echo x ${redirection}; echo y > after` });
      const { text } = output;
      expect(output).toMatchObject({ data: { exitCode: 1 } });
      expect(text).toMatch(/\[exit code 1\]$/);
      expect(text).toContain(ENDED);
      expect(text.split(reason)).toHaveLength(2); // told once
      expect(text).toContain(advice);
      expect(await fs.readFile("/before")).toBe("kept\n");
      expect(await fs.exists("/after")).toBe(false);
    }),
  );
});
