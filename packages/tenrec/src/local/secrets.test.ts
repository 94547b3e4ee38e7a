import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readVariables } from "./secrets.ts";

const file = (): string => join(mkdtempSync(join(tmpdir(), "tenrec-secrets-")), ".dev.vars");

test("makes up a token and a secret once, for the owner only", () => {
  const path = file();
  const first = readVariables(path);
  expect(first.TENREC_TOKEN).toMatch(/^[\w-]{43}$/);
  expect(first["TENREC_SECRET"]).not.toBe(first.TENREC_TOKEN);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readVariables(path)).toEqual(first);
});

test("keeps the user's lines and takes the file from others", () => {
  const path = file();
  writeFileSync(path, "# mine\nTENREC_TOKEN=own\nOPENAI_API_KEY='k'", { mode: 0o644 });
  const variables = readVariables(path);
  expect(variables).toMatchObject({ TENREC_TOKEN: "own", OPENAI_API_KEY: "k" });
  expect(readFileSync(path, "utf8")).toMatch(
    /^# mine\nTENREC_TOKEN=own\nOPENAI_API_KEY='k'\nTENREC_SECRET=[\w-]{43}\n$/,
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
