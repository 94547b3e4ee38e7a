import { expect, test } from "vitest";
import { resolveNames } from "./resolve-names.ts";

test.each([
  ["localhost", expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)])],
  ["127.0.0.1", ["127.0.0.1"]],
  ["nobody-has-this-name.invalid", []],
])("of %s", async (name, addresses) => {
  const response = await resolveNames({ url: `http://names/?name=${name}` });
  expect(await response.json()).toEqual(addresses);
});
