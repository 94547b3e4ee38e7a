import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { modelFromEnv } from "@tenrec/runtime/models";
import { parseScript } from "@tenrec/testkit";
import { nearest } from "../cli/nearest.ts";
import { UsageError } from "../cli/usage-error.ts";
import { askEndpoint } from "../local/compatible-model.ts";
import { modelVariables } from "../local/model-variables.ts";
import { KEYS, PROVIDERS } from "./providers.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface ChosenModel {
  /** For the Worker. */
  readonly model: string;
  /** To be named again by a later command: a script by its path. */
  readonly name: string;
  /** What it was chosen by; absent when it is not asked for anything. */
  readonly because: string | undefined;
  /** Keys and addresses for the Worker. */
  readonly variables: Readonly<Record<string, string>>;
  /** Plays the model, when it is `scripted/…`. */
  readonly script?: unknown;
}

/**
 * The model that is named, or else the one that the environment leads to. Throws `UsageError` when there is none, when it
 * is unknown, and when its key is not set.
 */
export async function chooseModel(named: string | undefined, env: Variables, cwd: string): Promise<ChosenModel> {
  const variables = modelVariables(env);
  if (named?.startsWith(SCRIPTED)) return chooseScript(resolve(cwd, named.slice(SCRIPTED.length)));
  if (named !== undefined) return checked({ model: named, name: named, because: "--model", variables });
  const endpoint = await askEndpoint(variables);
  if (endpoint && "problem" in endpoint) throw new UsageError(endpoint.problem);
  const choice = modelFromEnv(variables, endpoint?.name);
  if (!choice) throw new UsageError(nothingConfigured());
  if (choice.model.startsWith(SCRIPTED)) return chooseScript(resolve(cwd, choice.model.slice(SCRIPTED.length)));
  return checked({ ...choice, name: choice.model, variables });
}

const SCRIPTED = "scripted/";

function chooseScript(file: string): ChosenModel {
  try {
    const script = parseScript(JSON.parse(readFileSync(file, "utf8")));
    const model = `${SCRIPTED}${script.model}`;
    return { model, name: `${SCRIPTED}${file}`, because: file, variables: {}, script };
  } catch (error) {
    throw new UsageError(`The script ${file} cannot be played: ${(error as Error).message}`);
  }
}

function checked(chosen: ChosenModel): ChosenModel {
  const [provider = "", ...rest] = chosen.model.split("/");
  const known = PROVIDERS.find(({ name }) => name === provider);
  if (!known || rest.join("/") === "") {
    const forms = [...PROVIDERS.map(({ name }) => `${name}/<name>`), "scripted/<file.json>"];
    const like = nearest(
      provider,
      PROVIDERS.map(({ name }) => name),
    );
    const advice = like === undefined || known ? "" : ` Did you mean ${like}/${rest.join("/")}?`;
    throw new UsageError(`There is no model "${chosen.model}".${advice} The forms are: ${forms.join(", ")}.`);
  }
  if (chosen.variables[known.variable] === undefined) {
    throw new UsageError(`${chosen.model} needs ${known.variable}: ${known.how}`);
  }
  return chosen;
}

function nothingConfigured(): string {
  const width = Math.max(...KEYS.map(({ example }) => example.length));
  return [
    "No model is configured. Set one of these, and run again:",
    ...KEYS.map(({ example, how }) => `  export ${example.padEnd(width)}  # ${how}`),
    "Or name a script that plays the model: --model scripted/<file.json>",
  ].join("\n");
}
