import { expect, test } from "vitest";
import { MOST_LINKS, previewToken, readPreviewToken } from "./preview-token.ts";

const NAME = "v-1_".repeat(10) + "v-0";
const BINDINGS = ["Other", "Coder"];

test.each([0, 1, 77, MOST_LINKS - 1])(
  "link %i has a token for the name of a host, which leads back to it",
  async (link) => {
    const address = { binding: "Coder", name: NAME, link };
    const token = await previewToken("secret", address);
    expect(token).toMatch(/^[a-z2-7]{63}$/);
    expect(await readPreviewToken("secret", token, BINDINGS)).toEqual(address);
  },
);

test("another secret, class, object, link or signature opens nothing", async () => {
  const token = await previewToken("secret", { binding: "Coder", name: NAME, link: 5 });
  expect(await readPreviewToken("other", token, BINDINGS)).toBeUndefined();
  expect(await readPreviewToken("secret", token, ["Other"])).toBeUndefined();
  for (let at = 0; at < token.length; at += 1) {
    const wrong = token.slice(0, at) + (token[at] === "a" ? "b" : "a") + token.slice(at + 1);
    expect(await readPreviewToken("secret", wrong, BINDINGS)).toBeUndefined();
  }
  for (const wrong of ["", token.slice(1), `${token}a`, token.toUpperCase(), "a".repeat(63)]) {
    expect(await readPreviewToken("secret", wrong, BINDINGS)).toBeUndefined();
  }
});
