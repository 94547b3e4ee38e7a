import { describe, expect, test } from "vitest";
import { withoutLoop } from "./sed-loop.ts";
import { sedCommands, sedScript } from "./sed-script.ts";

describe("a sed script", () => {
  test.each<[script: string, commands: readonly string[]]>([
    ["s/a;b/c}/gp;p", ["s/a;b/c}/gp", "p"]],
    ["1 , /x\\/}/ ! { s,/,;, ; }", ["1,/x\\/}/!{", "s,/,;,", "}"]],
    ["$!N;2~3d;/a/I,+2p", ["$!N", "2~3d", "/a/I,+2p"]],
    ["s/[/;]/x/;:a;ba;t", ["s/[/;]/x/", ":a", "ba", "t"]],
    ["a\\\none\\\ntwo;p\np # q;r\nr f;p", ["a\\\none\\\ntwo;p", "p", "# q;r", "r f;p"]],
    ["\\,a;,y/ab/ba/;q5;Q", ["\\,a;,y/ab/ba/", "q5", "Q"]],
    ["s/a/b\\\nc/;y/\\//x/", ["s/a/b\\\nc/", "y/\\//x/"]],
  ])("has these commands: %j", (script, commands) => {
    const found = sedCommands(script);
    expect(found?.map((each) => sedScript([each]))).toEqual(commands);
    expect(sedCommands(sedScript(found ?? []))).toEqual(found);
  });

  test.each(["s/a/b", "s/a\nb/c/", "y", "k", "p p", "e date", "s/a/b/w f"])("is not understood: %j", (script) => {
    expect(sedCommands(script)).toBe(undefined);
  });
});

describe("a loop of sed over all lines", () => {
  const HELD = "h\n$!d\n}\n1!{\nx\nG\nh\n$!d\n}";
  const ENDS = `1{\n$q\n${HELD}`;
  const GOES_ON = `1{\n${HELD}`;

  test.each<[script: string, other: string]>([
    [":a;N;$!ba;s/\\n/ /g", `${ENDS}\ns/\\n/ /g`],
    [":a\nN\n$! b a\ny/a/b/;/x/!{p}", `${ENDS}\ny/a/b/\n/x/!{\np\n}`],
    [":x;$!N;$!bx", GOES_ON],
    [":a;$!{N;ba};p", `${GOES_ON}\np`],
    [":a;$!{N;s/\\n/,/;ta};s/$/;/", `${GOES_ON}\ns/\\n/,/g\ns/$/;/`],
    [":a;N;s/\\n/\\t/;ta;s/never/done/", `${ENDS}\ns/\\n/\\t/g`],
    [":a;{N;s,\\n,;,};ba", `${ENDS}\ns,\\n,;,g`],
    [":a;N;$!ba;:b;s/a//;tb", `${ENDS}\n:b\ns/a//\ntb`],
  ])("is taken out of %j", (script, other) => {
    expect(sedScript(withoutLoop(sedCommands(script) ?? []) ?? [])).toBe(other);
  });

  test.each([
    ":a;s/^/x/;ta",
    ":a;ba",
    ":a;N;3!ba;p",
    ":a;N;$!bb;p",
    ":a;$!N;s/\\n/ /;ba",
    ":a;N;s/\\n/&/;ta",
    ":a;N;s/x/y/;ta",
    ":a;N;$!ba;s/x//;ta",
    ":a;N;$!ba;b a",
    ":a;N;$!ba;h",
    ":a;N;$!ba;D",
    ":a;/\\\\$/N;s/\\\\\\n//;ta",
    "N;N;s/\\n/,/g",
    "p;:a;N;$!ba",
  ])("is not in %j", (script) => {
    expect(withoutLoop(sedCommands(script) ?? [])).toBe(undefined);
  });
});
