import { expect, test } from "vitest";
import { withTools } from "../with-tools.ts";
import { nearestPath } from "./nearest-path.ts";

const files = { "/src/index.ts": "", "/src/Button.tsx": "", "/src/deep/a.ts": "", "/README.md": "" };

test.each([
  ["/src/indes.ts", "The nearest folder that exists is src, in it with a similar name: src/index.ts."],
  ["/src/button.tsx", "The nearest folder that exists is src, in it with a similar name: src/Button.tsx."],
  ["/scr/index.ts", "The nearest folder that exists is the workspace itself, in it with a similar name: src."],
  ["/src/deep/b/c/d.ts", "The nearest folder that exists is src/deep."],
  ["/readme.md", "The nearest folder that exists is the workspace itself, in it with a similar name: README.md."],
  ["/README.md/x", "README.md is a file."],
  ["/zzz", "The nearest folder that exists is the workspace itself."],
])("%s", (path, text) => withTools(files, async ({ fs }) => expect(await nearestPath(fs, path)).toBe(text)));
