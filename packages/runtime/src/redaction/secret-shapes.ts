/**
 * A part of a shape: one of some fixed texts; a run of characters of a class, as in a regular expression; or a pattern of
 * its own, with one that matches at least whatever may still become it, to the end of a text.
 */
export type Part =
  | readonly string[]
  | { readonly chars: string; readonly min: number; readonly max?: number }
  | { readonly pattern: string; readonly open: string };

/** What a kind of secret looks like: its parts one after another. */
export interface SecretShape {
  readonly name: string;
  readonly parts: readonly Part[];
  /** So many parts at the beginning say what it is and are no secret themselves. Default: none. */
  readonly keep?: number;
  /** A pattern of what begins in the same place and is no secret. It must end before a match of the shape does. */
  readonly unless?: string;
  /** Characters that do not stand before it, besides those of a word. */
  readonly notAfter?: string;
}

const ALNUM = "A-Za-z0-9";
const WORD = "A-Za-z0-9_-";
const TOKEN = "A-Za-z0-9._~+/=-";

function token(name: string, prefixes: readonly string[], chars: string, min: number): SecretShape {
  return { name, parts: [prefixes, { chars, min }] };
}

const BASE64 = "[A-Za-z0-9+/=]";
const BETWEEN = "[^A-Za-z0-9+/=]";
/** What stands between two lines of a key: the line's end, as it is or escaped, and perhaps a line's number. */
const GAP = `${BETWEEN}{1,24}(?:[0-9]{1,6}${BETWEEN}{1,4})?`;
const HEADERS = String.raw`(?:(?:\s|\\[rn]){1,4}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): [^\n\\]{0,100}){0,4}`;
const KEY_LINE = `${GAP}${BASE64}{16,}`;
const BEFORE_END = String.raw`(?:\\[rn]|[^A-Za-z0-9/=\\]){0,24}(?:[0-9]{1,6}[^A-Za-z0-9/=\\]{1,4})?`;
const KEY_END = `(?:(?:${GAP}${BASE64}{1,15})?${BEFORE_END}-----END [A-Z0-9 ]{1,40}-----)?`;

/** The lines of a key in PEM. Text that only speaks of the line before them is none. */
const KEY_BODY: Part = {
  pattern: `${HEADERS}(?:${KEY_LINE})+${KEY_END}`,
  open: String.raw`${HEADERS}(?:${KEY_LINE})*[\s\S]{0,300}$`,
};

/**
 * Secrets that can be told by their looks, as their issuers document them. What has no mark of its own, such as a password,
 * is known by its value only. Each begins where a word does, so that a text is gone through once.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  {
    name: "private key",
    parts: [
      ["-----BEGIN "],
      { chars: "A-Z0-9 ", min: 0, max: 30 },
      ["PRIVATE KEY"],
      { chars: " A-Z", min: 0, max: 10 },
      ["-----"],
      KEY_BODY,
    ],
    keep: 5,
  },
  { name: "aws", parts: [["AKIA", "ASIA"], { chars: "A-Z0-9", min: 16, max: 16 }], unless: "[A-Z0-9]{13}EXAMPLE" },
  {
    name: "aws secret",
    parts: [
      ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "SecretAccessKey", "secretAccessKey"],
      { chars: "\"'\\\\: =\\t", min: 1, max: 8 },
      { chars: "A-Za-z0-9/+=", min: 40 },
    ],
    keep: 2,
  },
  token("github", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], `${ALNUM}_`, 30),
  token("github fine-grained", ["github_pat_"], `${ALNUM}_`, 22),
  token("gitlab", ["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-"], WORD, 20),
  token("slack", ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xapp-"], `${ALNUM}-`, 16),
  { name: "slack webhook", parts: [["hooks.slack.com/services/"], { chars: `${ALNUM}/`, min: 20 }], keep: 1 },
  token("stripe", ["sk_live_", "sk_test_", "rk_live_", "rk_test_"], ALNUM, 16),
  token("webhook", ["whsec_"], "A-Za-z0-9+/=", 24),
  token("openai, anthropic and others", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-ant-", "sk-or-v1-"], WORD, 20),
  // Without a mark behind it, words joined by hyphens look the same, such as names of classes in CSS.
  token("openai", ["sk-"], ALNUM, 20),
  token("google", ["AIza"], WORD, 35),
  token("google client", ["GOCSPX-"], WORD, 24),
  token("google access", ["ya29."], WORD, 20),
  token("npm", ["npm_"], ALNUM, 36),
  token("pypi", ["pypi-"], WORD, 50),
  token("hugging face", ["hf_"], ALNUM, 30),
  token("groq", ["gsk_"], ALNUM, 40),
  token("cloudflare", ["cfut_", "cfat_", "cfk_"], ALNUM, 40),
  token("digitalocean", ["dop_v1_", "doo_v1_", "dor_v1_"], "a-f0-9", 40),
  {
    name: "sendgrid",
    parts: [["SG."], { chars: WORD, min: 16, max: 64 }, ["."], { chars: WORD, min: 16 }],
  },
  {
    name: "json web token",
    // Else every one of its hyphens would be tried as a beginning.
    notAfter: "-",
    // The one of every manual: its content begins with the subject 1234567890.
    unless: String.raw`eyJ[A-Za-z0-9_-]{8,200}\.eyJzdWIiOiIxMjM0NTY3ODkwIi`,
    parts: [["eyJ"], { chars: WORD, min: 8 }, ["."], ["eyJ"], { chars: WORD, min: 8 }, ["."], { chars: WORD, min: 16 }],
  },
  {
    name: "authorization header",
    parts: [
      ["authorization", "Authorization", "AUTHORIZATION"],
      { chars: "\"'\\\\", min: 0, max: 2 },
      { chars: "\\s", min: 0, max: 2 },
      { chars: ":=", min: 1, max: 1 },
      { chars: "\\s\"'\\\\`", min: 0, max: 4 },
      ["Bearer", "bearer", "BEARER", "Basic", "basic", "Token", "token"],
      { chars: " ", min: 1, max: 2 },
      { chars: TOKEN, min: 8 },
    ],
    keep: 7,
  },
  {
    name: "bearer",
    parts: [["Bearer"], { chars: " ", min: 1, max: 1 }, { chars: TOKEN, min: 24 }],
    keep: 2,
  },
];

const WELL_KNOWN = "password|passwd|pass|pw|secret|postgres|mysql|root|admin|user|guest|test|dev|changeme|example|xxx+";

/**
 * A password in an address. What stands for one, such as `${TOKEN}` or `<password>`, is none, nor what databases on
 * developers' machines have, such as the user's own name.
 */
export const URL_PASSWORD: SecretShape = {
  name: "password in an address",
  parts: [
    ["://"],
    { chars: "^\\s:/?#@\"'`<>\\\\", min: 0, max: 200 },
    [":"],
    { chars: "^\\s/?#@\"'`<>\\\\{}$*\\[", min: 1, max: 1 },
    { chars: "^\\s/?#@\"'`<>\\\\", min: 2, max: 300 },
    { pattern: "(?=@)", open: "$" },
  ],
  keep: 3,
  unless: String.raw`:\/\/(?<user>[^\s:\/?#@"'\x60<>\\]{1,60}):(?:\k<user>|${WELL_KNOWN})@`,
};
