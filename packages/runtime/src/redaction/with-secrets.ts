/** `count` characters that a token may have. */
function body(count: number): string {
  return "a1B2c3D4e5F6g7H8i9J0".repeat(10).slice(0, count);
}

const KEY_LINES = Array.from({ length: 8 }, (_, i) => `MIIE${body(59)}${i}`);

/** A private key as files have it. Nothing below is a real secret; they are put together so that no scanner thinks so. */
export const PRIVATE_KEY: string = [
  "-----BEGIN PRIVATE",
  " KEY-----\n",
  KEY_LINES.join("\n"),
  "\nAbc=\n-----END PRIVATE KEY-----",
].join("");

/** The lines of the key alone. */
export const KEY_TEXT: readonly string[] = KEY_LINES;

type Example = readonly [name: string, secret: string, text?: (secret: string) => string];

const ALL: readonly Example[] = [
  ["aws", `AKIA${"A1B2C3D4E5F6G7H8"}`],
  ["aws secret", body(40), (s) => `AWS_SECRET_ACCESS_KEY="${s}"`],
  ["github", `ghp_${body(36)}`],
  ["github app", `ghs_${body(36)}`],
  ["github fine-grained", `github_pat_${body(22)}_${body(59)}`],
  ["gitlab", `glpat-${body(20)}`],
  ["slack", `xoxb-1234567890-${body(24)}`],
  ["slack webhook", `T00000000/B00000000/${body(24)}`, (s) => `https://hooks.slack.com/services/${s}`],
  ["stripe", `sk_live_${body(24)}`],
  ["stripe webhook", `whsec_${body(32)}`],
  ["openai project", `sk-proj-${body(74)}`],
  ["openai", `sk-${body(48)}`],
  ["anthropic", `sk-ant-api03-${body(93)}AA`],
  ["google", `AIza${body(35)}`],
  ["google client", `GOCSPX-${body(28)}`],
  ["npm", `npm_${body(36)}`],
  ["pypi", `pypi-${body(60)}`],
  ["hugging face", `hf_${body(34)}`],
  ["sendgrid", `SG.${body(22)}.${body(43)}`],
  ["json web token", `eyJ${body(30)}.eyJ${body(40)}.${body(43)}`],
  ["password in an address", "hunter22", (s) => `git clone https://bob:${s}@git.test/a.git`],
  ["password of a database", "hunter22", (s) => `postgres://app:${s}@db.test:5432/app`],
  ["authorization header", body(24), (s) => `curl -H 'Authorization: Bearer ${s}' https://a.test`],
  ["authorization in JSON", body(24), (s) => `{"Authorization":"Basic ${s}"}`],
  ["bearer", body(40), (s) => `got Bearer ${s} back`],
];

/** One secret of each kind, and the text that it stands in. */
export const EXAMPLES: readonly (readonly [name: string, secret: string, text: (secret: string) => string])[] = ALL.map(
  ([name, secret, text = (s) => s]) => [name, secret, text],
);
