import { TenrecError } from "@tenrec/protocol";
import { memoryFileSystem } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { projectInstructions } from "./read-instructions.ts";
import { createRedactor } from "./redaction/redactor.ts";

/** Trees by their hash, and which of them were looked into. */
function withTrees(trees: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const opened: string[] = [];
  let broken = false;
  const overlay = (tree: string) => {
    opened.push(tree);
    if (broken) throw new TenrecError("EIO", { path: "/AGENTS.md", reason: "it is gone" });
    return memoryFileSystem(trees[tree]);
  };
  const of = projectInstructions({ trees: { overlay }, redactor: createRedactor(["topsecret1"]) });
  return { of, opened, setBroken: (is: boolean) => void (broken = is) };
}

test("the steps of a turn read them once, another tree has its own", async () => {
  const { of, opened } = withTrees({ a: { "/AGENTS.md": "Use tabs." }, b: { "/CLAUDE.md": "Use spaces." }, c: {} });
  const said: (string | undefined)[] = [];
  for (const tree of ["a", "a", "b", "b", "c", "c", "a"]) said.push(await of(tree));
  expect(said).toEqual(["Use tabs.", "Use tabs.", "Use spaces.", "Use spaces.", undefined, undefined, "Use tabs."]);
  expect(opened).toEqual(["a", "b", "c", "a"]);
});

test("they have no secrets", async () => {
  const { of } = withTrees({ a: { "/AGENTS.md": "The key is topsecret1." } });
  expect(await of("a")).toBe("The key is [redacted secret].");
});

test("a read that fails is tried again", async () => {
  const { of, setBroken } = withTrees({ a: { "/AGENTS.md": "Use tabs." } });
  setBroken(true);
  await expect(of("a")).rejects.toMatchObject({ code: "EIO" });
  setBroken(false);
  expect(await of("a")).toBe("Use tabs.");
});
