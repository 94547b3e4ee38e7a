import type { Script, ScriptStep } from "@tenrec/testkit";
import { prompt } from "./prompt.ts";

const fixedLine = "  if (hours > 0) return `${hours}h ${minutes % 60}m`;";

const testFile = `import assert from "node:assert/strict";
import { test } from "node:test";
import { formatDuration } from "./format-duration.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const cases: [ms: number, text: string][] = [
  [0, "0s"],
  [59 * SECOND, "59s"],
  [4 * MINUTE + 10 * SECOND, "4m 10s"],
  [HOUR, "1h 0m"],
  [HOUR + 5 * MINUTE, "1h 5m"],
  [23 * HOUR + 59 * MINUTE, "23h 59m"],
  [2 * DAY + 3 * HOUR, "2d 3h"],
];

for (const [ms, text] of cases) {
  test(\`\${ms} ms is \${text}\`, () => assert.equal(formatDuration(ms), text));
}
`;

const check = [
  `echo "unit left out of the remainder: $(grep -c 'h \${minutes}m' src/app/format-duration.ts)"`,
  `echo "routes:" && grep -o '"/api/[a-z]*"' src/app/app.ts | sort`,
  "sed -n '8,10p' src/app/format-duration.ts",
  "find src/app -name '*.ts' | sort | xargs wc -l",
].join("\n");

const plan = ["Find and fix the uptime", "Add GET /api/health", "Write a test file", "Check with bash"];

/** The plan with its first items done and the next one begun. */
function todo(done: number): { call: "todo"; input: { items: { text: string; status: string }[] } } {
  const status = (index: number): string => (index < done ? "done" : index === done ? "in-progress" : "pending");
  return { call: "todo", input: { items: plan.map((text, index) => ({ text, status: status(index) })) } };
}

const session: readonly ScriptStep[] = [
  {
    when: { prompt: { includes: prompt } },
    say: [
      {
        reasoning:
          "65 minutes is 1h 5m, so the minutes are not taken modulo 60 somewhere. First: where is the uptime made?",
      },
      { text: "I'll look for the place where the uptime becomes text." },
      { call: "grep", input: { pattern: "uptime|formatDuration", path: "src/app" } },
      { call: "glob", input: { pattern: "src/app/**" } },
    ],
  },
  {
    say: [
      { text: "`status.ts` leaves it to `format-duration.ts`. Reading that, and where the routes are." },
      todo(0),
      { call: "read", input: { path: "src/app/format-duration.ts" } },
      { call: "read", input: { path: "src/app/app.ts" } },
    ],
  },
  {
    // Asked again in the same session, there is nothing left to fix.
    when: { result: { tool: "read", includes: "`${hours}h ${minutes}m`" } },
    say: [
      {
        reasoning:
          "Every branch takes the smaller unit modulo the larger one, except hours: it prints all minutes. " +
          "3,900,000 ms are 65 minutes, so it says 1h 65m.",
      },
      { text: "Found it: the branch for hours prints all the minutes, not those left over after the hours." },
      {
        call: "edit",
        input: {
          path: "src/app/format-duration.ts",
          edits: [{ oldText: "  if (hours > 0) return `${hours}h ${minutes}m`;", newText: fixedLine }],
        },
      },
    ],
  },
  {
    say: [
      { text: "The uptime is right already: `format-duration.ts` takes the minutes modulo 60. I changed nothing." },
    ],
  },
  {
    say: [
      { text: "Now the endpoint and the tests." },
      {
        call: "edit",
        input: {
          path: "src/app/app.ts",
          edits: [
            {
              oldText: '    case "/api/status":\n',
              newText: '    case "/api/health":\n      return Response.json({ ok: true });\n    case "/api/status":\n',
            },
          ],
        },
      },
      { call: "write", input: { path: "src/app/format-duration.test.ts", content: testFile } },
      todo(3),
    ],
  },
  { say: [{ text: "Checking the result with bash." }, { call: "bash", input: { command: check } }] },
  {
    when: { result: { tool: "bash", includes: "unit left out of the remainder: 0" } },
    say: [
      {
        text:
          "Done.\n\n" +
          "- The bug: `formatDuration` printed all minutes beside the hours. It now prints `minutes % 60`, so 65 minutes are `1h 5m`.\n" +
          '- `GET /api/health` answers `{ "ok": true }`.\n' +
          "- `src/app/format-duration.test.ts` has seven cases, the one that was wrong among them.\n\n" +
          "I could not run the tests here: the shell has no Node. Run them with `node --test src/app`.",
      },
    ],
  },
  { say: [{ text: "bash does not show what I expected, so look at the changes before you keep them." }] },
];

/** What every prompt gets that is not the one above. */
const other: ScriptStep = {
  say: [
    {
      text:
        "I am a script and know one session only, the first one. " +
        "Start again with ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL set, and a real model answers you here.",
    },
  ],
};

/** Plays the session of `npm start` where no model is configured. Its tool calls are real, and so is what they change. */
export const tour: Script = {
  model: "tour",
  pace: 12,
  steps: [...Array.from({ length: 100 }, () => other), ...session],
};
