import type { ShellCommand } from "../shell-command.ts";
import { defineCommand } from "./define-command.ts";

/** `envsubst`: puts exported variables into what is piped to it; with an argument, only those that it names. */
export const envsubst: ShellCommand = defineCommand(
  "envsubst",
  { short: "v", long: { variables: "v" } },
  async (options, { exported, stdin }) => {
    const [names] = options.operands;
    const named =
      names === undefined ? undefined : new Set(Array.from(names.matchAll(PATTERN), ([, a, b]) => a ?? b ?? ""));
    if (options.has("v")) return { stdout: [...(named ?? [])].map((name) => `${name}\n`).join("") };
    const text = stdin.text().replace(PATTERN, (all, braced: string | undefined, plain: string | undefined) => {
      const name = braced ?? plain ?? "";
      if (named && !named.has(name)) return all;
      return Object.hasOwn(exported, name) ? (exported[name] ?? "") : "";
    });
    return { stdout: text };
  },
);

const PATTERN = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;
