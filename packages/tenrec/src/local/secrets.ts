import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseEnv } from "node:util";

type Variables = Readonly<Record<string, string | undefined>>;

const SECRETS = ["TENREC_TOKEN", "TENREC_SECRET"] as const;

/**
 * The variables of `.dev.vars`, with a token and a secret that are made up once. Lines that are there stay as they are;
 * nobody else on the machine can read the file.
 */
export function readVariables(file: string): Variables & { readonly TENREC_TOKEN: string } {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const missing = SECRETS.filter((name) => !parseEnv(text)[name]);
  const lines = missing.map((name) => `${name}=${randomBytes(32).toString("base64url")}\n`);
  const whole = text === "" || text.endsWith("\n") ? text + lines.join("") : `${text}\n${lines.join("")}`;
  if (missing.length > 0) {
    // By a rename, so that an interrupted start leaves the user's lines as they were.
    writeFileSync(`${file}.new`, whole, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  chmodSync(file, 0o600);
  const variables = parseEnv(whole);
  return { ...variables, TENREC_TOKEN: variables["TENREC_TOKEN"] ?? "" };
}
