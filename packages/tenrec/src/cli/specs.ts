import type { CommandSpec } from "./command-spec.ts";
import { runSpec } from "./run-spec.ts";

const devSpec: CommandSpec = {
  name: "dev",
  about: "start the Worker alone, and print its address and token",
  usage: "[options]",
  details: [
    "For clients of your own: connect() of @tenrec/runtime/client takes the address and the token. Its workspaces are kept",
    "between starts, apart from the sessions of tenrec run. It runs until Ctrl-C.",
  ],
  options: {
    port: {
      about: "port of the loopback interface; default: the first free one from 8787 on",
      value: { name: "<port>", kind: "text" },
    },
    model: {
      about: "provider/name; default: by the keys that are set",
      short: "m",
      value: { name: "<model>", kind: "text" },
    },
  },
  words: 0,
  examples: [
    { line: "tenrec dev", about: "on the usual port" },
    { line: "tenrec dev --port 9000 --model openai/gpt-5.1", about: "on another one, with a model by name" },
  ],
};

const sessionsSpec: CommandSpec = {
  name: "sessions",
  about: "list the sessions that can go on; rename, export or remove them, or take turns back",
  usage: '[rm <id>… | rename <id> "<title>" | undo <id> | export <id>] [options]',
  details: [
    "A session's files and history stay on this machine until it is removed. undo takes back the last turn, in conversation",
    "and files together, in the session alone: --apply of tenrec run brings it to the folder. export prints all that",
    "happened, as JSON lines.",
  ],
  options: {
    json: { about: "print the list as JSON, one a line" },
    turn: {
      about: "with undo: take back this turn and all that followed",
      value: { name: "<n>", kind: "text" },
    },
    redo: { about: "with undo: take back the newest undo" },
    markdown: { about: "with export: the conversation, for people" },
  },
  words: Number.POSITIVE_INFINITY,
  subcommands: ["rm", "rename", "undo", "export"],
  examples: [
    { line: "tenrec sessions", about: "what there is, the newest first" },
    { line: "tenrec sessions rm 7k2m-q4xz", about: "remove one, its files included" },
    { line: "tenrec sessions undo 7k2m --turn 3", about: "go back to before turn 3" },
    { line: "tenrec sessions export 7k2m --markdown > talk.md", about: "keep what was said" },
  ],
};

const modelsSpec: CommandSpec = {
  name: "models",
  about: "list models: which can be used with the keys that are set, and their prices",
  usage: "",
  options: {},
  words: 0,
  examples: [{ line: "tenrec models", about: "what is there, and what the others need" }],
};

const doctorSpec: CommandSpec = {
  name: "doctor",
  about: "check what tenrec needs, and say how to get what is missing",
  usage: "",
  details: ["Starts the Worker once, to see that it runs here. Ends with 1 when something is missing."],
  options: {},
  words: 0,
  examples: [{ line: "tenrec doctor", about: "before asking why it does not work" }],
};

const completionSpec: CommandSpec = {
  name: "completion",
  about: "print a script that completes commands and options in a shell",
  usage: "bash|zsh|fish",
  options: {},
  words: 1,
  subcommands: ["bash", "zsh", "fish"],
  examples: [
    { line: 'eval "$(tenrec completion bash)"', about: "in ~/.bashrc" },
    { line: 'eval "$(tenrec completion zsh)"', about: "in ~/.zshrc, after compinit" },
    { line: "tenrec completion fish | source", about: "in ~/.config/fish/config.fish" },
  ],
};

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  runSpec,
  devSpec,
  sessionsSpec,
  modelsSpec,
  doctorSpec,
  completionSpec,
];
