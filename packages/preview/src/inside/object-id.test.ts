import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { idFromName, idFromString, newUniqueId } from "./object-id.ts";
import { sha256Sync } from "./sha256-sync.ts";

test("the hash is SHA-256", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(sha256Sync(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }),
  );
});

test("an id is the same for the same name of a class, and comes back from its text", () => {
  const id = idFromName("A", "x");
  expect(idFromName("A", "x").equals(id)).toBe(true);
  expect(idFromName("B", "x").equals(id)).toBe(false);
  expect(idFromName("A", "y").equals(id)).toBe(false);
  expect(id.name).toBe("x");
  expect(idFromString(id.toString()).equals(id)).toBe(true);
  expect(newUniqueId().equals(newUniqueId())).toBe(false);
  expect(() => idFromString("x")).toThrow(TypeError);
});
