import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const GIT_ADVICE = "The repository is not kept as files. Use git in bash";

describe("a redirection to what cannot be written", () => {
  it.each([
    ["what git keeps", "> .git/HEAD", "bash: .git/HEAD: Permission denied", GIT_ADVICE],
    ["below a file", ">> f/y", "bash: f/y: Not a directory", ""],
    ["a folder that is not there", "> nowhere/y", "bash: nowhere/y: No such file or directory", ""],
    ["a folder", "> /tmp", "bash: /tmp: Is a directory", ""],
    ["outside of the workspace", ">> /nowhere/y", "bash: /nowhere/y: No such file or directory", ""],
    ["a command", "> /bin/ls", "bash: /bin/ls: Permission denied", ""],
    ["a ring of links", "> ring", "bash: ring: Too many levels of symbolic links", "Look at them with ls -l"],
    ["a name that is too long", `2> ${"n".repeat(300)}`, "File name too long", ""],
    ["both outputs", "&> nowhere/y", "bash: nowhere/y: No such file or directory", ""],
  ])("%s: the command is not run, and the script goes on", (_name, redirection, reason, advice) =>
    withTools({ "/f": "x" }, async ({ call, fs }) => {
      await call("bash", { command: "ln -s other ring; ln -s ring other" });
      const command = `echo before; touch ran ${redirection}; echo "after $?"`;
      const { text, data } = await call("bash", { command });
      expect(data).toEqual({ exitCode: 0 });
      expect(text).toContain("before\nafter 1\n");
      expect(text.split(reason)).toHaveLength(2); // told once
      expect(text).toContain(advice);
      expect(text).not.toMatch(/Internal|cannot open redirect target|\bE[A-Z]{3,}: /);
      expect(await fs.exists("/ran")).toBe(false);
    }),
  );

  it.each(["nowhere/y", "/nowhere/y"])("to %s in what eval runs, ends the script, and says so", (path) =>
    withTools({}, async ({ call, fs }) => {
      const { text } = await call("bash", { command: `echo kept > before; eval 'echo x > ${path}'; echo y > after` });
      expect(text).toContain("the script ended there");
      expect(text).toContain(`bash: ${path}: No such file or directory`);
      expect(await fs.exists("/before")).toBe(true);
      expect(await fs.exists("/after")).toBe(false);
    }),
  );
});
