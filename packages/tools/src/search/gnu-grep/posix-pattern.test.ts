import { describe, expect, test } from "vitest";
import { CommandError } from "../command/command-error.ts";
import { translatePosix } from "./posix-pattern.ts";

describe("patterns of POSIX in the syntax of the engine", () => {
  test.each([
    ["a.b*", "a.b*"],
    ["a+b?c|d(e){2}", "a\\+b\\?c\\|d\\(e\\)\\{2\\}"],
    ["a\\+b\\?c\\|d\\(e\\)\\{2\\}", "a+b?c|d(e){2}"],
    ["*a\\(*b\\)", "\\*a(\\*b)"],
    ["^a^b$c$", "^a\\^b\\$c$"],
    ["\\(^a\\|^b\\)$", "(^a|^b)$"],
    ["^*a", "^\\*a"],
    ["a\\{,3\\}", "a{0,3}"],
    ["a\\{2,\\}", "a{2,}"],
    ["a**", "(?:a*)*"],
    ["\\<a\\>\\bx\\B\\w\\W", "\\<a\\>\\bx\\B\\w\\W"],
    ["\\`a\\'", "\\Aa\\z"],
    ["[]a]", "[\\]a]"],
    ["[^]a]", "[^\\]a]"],
    ["[a\\]", "[a\\\\]"],
    ["[a-c-]", "[a-c\\-]"],
    ["[[:digit:]x]", "[0-9x]"],
    ["[[.-.][=a=]]", "[\\-a]"],
    ["\\d", "d"],
    ["a/b#c", "a/b\\#c"],
  ])("basic %s is %s", (pattern, rust) => {
    expect(translatePosix(pattern, false).rust).toBe(rust);
  });

  test.each([
    ["a+b?c|d(e){2}", "a+b?c|d(e){2}"],
    ["a\\+b\\(c", "a\\+b\\(c"],
    ["a+?", "(?:a+)?"],
    ["(a)+{2}", "(?:(a)+){2}"],
    ["*a|+b", "a|b"],
    ["a{", "a\\{"],
    ["{1}a", "\\{1\\}a"],
    ["a{,2}", "a{0,2}"],
    ["a)", "a\\)"],
    ["a^b$", "a^b$"],
    ["()", "()"],
  ])("extended %s is %s", (pattern, rust) => {
    expect(translatePosix(pattern, true).rust).toBe(rust);
  });

  test.each([
    ["\\(a\\)\\1", false, true],
    ["(a)\\1", true, true],
    ["(a)b", true, false],
  ])("%s has backreferences", (pattern, extended, has) => {
    expect(translatePosix(pattern, extended).hasBackreferences).toBe(has);
  });

  test.each([
    ["\\(a", false, "Unmatched ( or \\("],
    ["a\\)", false, "Unmatched ) or \\)"],
    ["(a", true, "Unmatched ( or \\("],
    ["a\\{1", false, "Unmatched \\{"],
    ["a\\{x\\}", false, "Invalid content of \\{\\}"],
    ["a{2,1}", true, "Invalid content of \\{\\}"],
    ["a{40000}", true, "Regular expression too big"],
    ["\\{1\\}", false, "Invalid preceding regular expression"],
    ["[a", false, "Unmatched [, [^, [:, [., or [="],
    ["[[:a", false, "Unmatched [, [^, [:, [., or [="],
    ["[[:foo:]]", false, "Invalid character class name"],
    ["[:space:]", false, "character class syntax is [[:space:]], not [:space:]"],
    ["[b-a]", false, "Invalid range end"],
    ["a\\", true, "Trailing backslash"],
    ["(a)\\2", true, "Invalid back reference"],
    ["(a\\1)", true, "Invalid back reference"],
  ])("%s is refused as grep does", (pattern, extended, message) => {
    expect(() => translatePosix(pattern, extended)).toThrow(new CommandError(message));
  });
});
