import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { mapTools } from "./with-own-files.ts";
import { callTool } from "./with-tools.ts";
import type { CodingTools } from "./coding-tool.ts";

const here = (name: string): Promise<string> => readFile(`${import.meta.dirname}/${name}`, "utf8");

describe("the example of the README", () => {
  it("is the one that compiles", async () => {
    const example = (await here("with-own-files.ts")).replaceAll("./index.ts", "@tenrec/tools");
    expect(await here("../README.md")).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it("works", async () => {
    const tools = mapTools(new Map()) as CodingTools;
    expect((await callTool(tools, "write", { path: "a.txt", content: "hi\n" })).text).toBe(
      "Created a.txt: 1 line, 3 bytes",
    );
    expect((await callTool(tools, "read", { path: "a.txt" })).text).toBe("1\thi");
    expect((await callTool(tools, "read", { path: "b.txt" })).text).toMatch(/^No such file/);
  });
});
