import { expect, test } from "vitest";
import { withTools } from "../../with-tools.ts";

const files = { "/src/a.ts": "a\n", "/src/deep/b.ts": "b\n", "/README.md": "# Read\n" };

test.each([
  [
    "a link to a folder above",
    "ln -s . src/self; cp -rL src out; ls out; ls out/self 2>&1",
    /cyclic symbolic link 'src\/self'/,
  ],
  [
    "a folder into itself",
    "cp -r src src/deep/in; ls src/deep",
    /cannot copy a directory, 'src', into itself, 'src\/deep\/in'/,
  ],
  ["a link instead of a file", "cp -l README.md x", /--link is not supported here; copy the file, or use ln -s/],
  ["a mode in letters", "mkdir -m u+x d", /give the mode in digits, such as 755, not 'u\+x'/],
  [
    "more of yes than there is",
    "yes | head -n 1000000 | wc -l",
    /head: yes never ends; at most 1048576 bytes of it are possible here/,
  ],
  ["an indent of what is raw", "echo '{\"a\":{}}' | jq -r --indent 4 .", /--indent with -r is not supported here/],
  ["the clock", "date -s 2024-01-01", /-s and -f are not supported here; -d TEXT shows another time/],
])("%s is told", (_name, command, text) =>
  withTools(files, async ({ call }) => {
    expect((await call("bash", { command })).text).toMatch(text);
  }),
);
