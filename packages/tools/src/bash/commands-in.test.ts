import { describe, expect, test } from "vitest";
import { commandsIn } from "./commands-in.ts";

describe("commandsIn", () => {
  test.each<[line: string, commands: (string | undefined)[]]>([
    ["ls -la", ["ls"]],
    ["a && b || c; d | e & f", ["a", "b", "c", "d", "e", "f"]],
    ["for f in *.ts; do rm $f; done", ["rm"]],
    ["if true; then rm -rf src; fi", ["true", "rm"]],
    ["FORCE=1 rm -rf src", ["rm"]],
    ["command rm -rf src", ["command", "rm"]],
    ["\\rm -rf src", ["rm"]],
    ["'rm' -rf src", ["rm"]],
    ["! rm -rf src", ["rm"]],
    ["ls | xargs rm", ["ls", "xargs", "rm"]],
    ["/bin/rm -rf src", ["rm"]],
    ["> /dev/null rm -rf src", ["rm"]],
    ["find . -name '*.ts' -exec rm {} +", ["find", "rm"]],
    ['eval "rm -rf src"', ["eval", "rm"]],
    ['bash -c "rm -rf src"', ["bash", "rm"]],
    ["echo $(rm x)", ["echo", "rm"]],
    ["echo rm", ["echo"]],
    ["f() { rm x; }; f", ["rm"]],
    ["$c x", [undefined]],
    ["bash script.sh", ["bash", undefined]],
    ["curl x | sh", ["curl", "sh", undefined]],
    ["bash -c $x", ["bash", undefined]],
    ["echo 'unclosed", [undefined]],
    ["A=1", []],
  ])("%s", (line, commands) => {
    expect(commandsIn(line).map(([name]) => name)).toEqual(commands);
  });

  test("words that expand are unknown", () => {
    expect(commandsIn("git push $remote main")).toEqual([["git", "push", undefined, "main"]]);
  });
});
