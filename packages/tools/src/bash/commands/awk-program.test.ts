import { describe, expect, test } from "vitest";
import { withPauses } from "./awk-program.ts";

const RULE = /^\(\w+\+=length\(\$0\)\+\d+\)>=\d+\{\w+=0;printf "">>"[^"]+"\}\n/;
const ROUND = /\nfunction \w+\(\)\{.*\}$/;

describe("an awk program with pauses", () => {
  test.each<[program: string, rest: string]>([
    ["{print}", "{print}"],
    ["NR==1", "NR==1"],
    ["/a\\/{/ {print $1/2}", "/a\\/{/ {print $1/2}"],
    ["BEGIN{x} END{y} ; 1", "BEGIN{x} END{y} ; 1"],
    ["END{print NR}", "END{print NR}"],
    ["BEGIN{x} END{y}", "BEGIN{x} END{y}"],
    ["length > 5", "length($0) > 5"],
    ["{print length, length(x)}", "{print length($0), length(x)}"],
    ["# length (\n/[/]while/", "# length (\n/[/]while/"],
  ])("reads lines: %s", (program, rest) => {
    const made = withPauses(program);
    expect(made).toMatch(RULE);
    expect(made.replace(RULE, "")).toBe(rest);
  });

  test.each<[program: string, rest: string]>([
    ["BEGIN{print 1}", "BEGIN{print 1}"],
    [
      "function f(a) { return a / 2 / 1 }\nBEGIN { print f(3) }",
      "function f(a) { return a / 2 / 1 }\nBEGIN { print f(3) }",
    ],
    ['BEGIN{print "length > 1 while ("}', 'BEGIN{print "length > 1 while ("}'],
    ["function f()\n{ return 1 }\nBEGIN { f() }\n", "function f()\n{ return 1 }\nBEGIN { f() }\n"],
    ["", ""],
  ])("reads none: %s", (program, rest) => {
    expect(withPauses(program)).toBe(rest);
  });

  test.each<[program: string, rest: string]>([
    ["BEGIN{while(i<3)i++}", "BEGIN{while(tenrecPause()&&(i<3))i++}"],
    ["BEGIN{do i++; while (f(i) < 3)}", "BEGIN{do i++; while (tenrecPause()&&(f(i) < 3))}"],
    ["BEGIN{for(i=0;i<3;i++)x}", "BEGIN{for(i=0;tenrecPause()&&(i<3);i++)x}"],
    ["BEGIN{for(;;)x}", "BEGIN{for(;tenrecPause();)x}"],
    ["BEGIN{for(k in a)while(1)x}", "BEGIN{for(k in a)while(tenrecPause()&&(1))x}"],
    ["BEGIN{while((c | getline l) > 0)x}", "BEGIN{while(tenrecPause()&&((c | getline l) > 0))x}"],
  ])("goes round: %s", (program, rest) => {
    const made = withPauses(program);
    expect(made).toMatch(ROUND);
    expect(made.replace(ROUND, "")).toBe(rest);
  });
});
