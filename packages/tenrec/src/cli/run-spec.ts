import { PERMISSION_NAMES } from "../permission.ts";
import type { CommandSpec } from "./command-spec.ts";

export const runSpec: CommandSpec = {
  name: "run",
  about: "let an agent work on a copy of a folder, then show what it changed",
  usage: '["<prompt>"] [options]',
  details: [
    "The folder is copied into a new session, without .git and what .gitignore excludes. Your files are changed by",
    "--apply only, and none that you changed meanwhile. A prompt may come from standard input, alone or after the other.",
    "",
    "permissions (--permission), as the tools need them:",
    "  read     look, and change nothing",
    "  ask      look; ask before each change",
    "  edit     change files and use the isolate's own shell; ask before running programs and network (the default)",
    "  execute  run programs too; ask before network",
    "  all      ask nothing",
    "The local Worker cannot run programs or reach the network yet, so execute and all allow no more than edit.",
    "Questions are asked in the terminal. Where there is none, the run ends with exit code 3 and goes on with --session.",
    "",
    "Ctrl-C stops the turn and keeps the session; a second one leaves at once.",
    "",
    "exit codes: 0 done, 1 failed, 2 wrong use, 3 stopped by a budget or an unanswered approval, 130 interrupted",
  ],
  options: {
    dir: {
      about: "folder to work on; default: the current one",
      short: "d",
      value: { name: "<folder>", kind: "folder" },
    },
    model: {
      about: "provider/name, or scripted/<file.json>; default: by the keys that are set (tenrec models)",
      short: "m",
      value: { name: "<model>", kind: "text" },
    },
    permission: {
      about: `what the agent may do without asking: ${PERMISSION_NAMES.join(", ")}`,
      short: "p",
      value: { name: "<preset>", kind: "text", oneOf: PERMISSION_NAMES },
    },
    apply: { about: "change the folder at the end, if the turn is done" },
    patch: {
      about: "write the changes into a file instead, for git apply; - is standard output",
      value: { name: "<file>", kind: "file" },
    },
    session: {
      about: "go on with a session; without a prompt, only finish what it is doing",
      short: "s",
      value: { name: "<id>", kind: "session" },
    },
    "max-cost": { about: "stop the turn at so many US dollars; default: 5", value: { name: "<usd>", kind: "text" } },
    "max-steps": {
      about: "stop the turn after so many model calls; default: 100",
      value: { name: "<n>", kind: "text" },
    },
    image: {
      about: "show the model an image too (png, jpeg, gif, webp); may be repeated",
      short: "i",
      value: { name: "<file>", kind: "file" },
      multiple: true,
    },
    json: { about: "print events as JSON, one a line, and nothing else" },
  },
  words: 1,
  examples: [
    {
      line: 'tenrec run "fix the failing test in src/parse" --apply',
      about: "work on the current folder, and apply the result",
    },
    {
      line: 'git diff main | tenrec run "review this change" --permission read',
      about: "a prompt with more from standard input",
    },
    { line: 'tenrec run --session 7k2m-q4xz "now add a test"', about: "go on with a session" },
    {
      line: 'tenrec run "make it look like this" --image design.png --patch change.diff',
      about: "with an image, into a patch",
    },
    {
      line: 'tenrec run "list the routes" --json | jq -r "select(.type == \\"result\\").text"',
      about: "from a script",
    },
  ],
};
