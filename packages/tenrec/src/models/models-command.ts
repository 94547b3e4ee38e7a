import { PRICES, PRICES_DATE } from "@tenrec/runtime/models";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { UsageError } from "../cli/usage-error.ts";
import { listModels } from "../local/compatible-model.ts";
import { modelVariables } from "../local/model-variables.ts";
import { chooseModel } from "../run/choose-model.ts";
import { PROVIDERS } from "../run/providers.ts";
import { modelTable, type ProviderRow } from "./model-table.ts";

/** `tenrec models`. */
export async function modelsCommand(around: Surroundings): Promise<ExitCode> {
  const { env, cwd, stdout, paint } = around;
  const variables = modelVariables(env);
  const rows = await Promise.all(
    PROVIDERS.map(async (provider): Promise<ProviderRow> => {
      const isConfigured = variables[provider.variable] !== undefined;
      const known = Object.keys(PRICES).filter((model) => model.startsWith(`${provider.name}/`));
      if (provider.name !== "openai-compatible" || !isConfigured) return { provider, isConfigured, models: known };
      const listed = await listModels({
        baseUrl: variables["OPENAI_BASE_URL"] ?? "",
        apiKey: variables["OPENAI_API_KEY"],
      });
      if ("problem" in listed) return { provider, isConfigured, models: [], problem: listed.problem };
      return { provider, isConfigured, models: listed.names.map((name) => `${provider.name}/${name}`) };
    }),
  );
  stdout.write(modelTable(rows, PRICES, PRICES_DATE, paint));
  stdout.write(`\n${await chosenText(env, cwd)}\n`);
  return EXIT.done;
}

/** What a run would take without `--model`. */
async function chosenText(env: Surroundings["env"], cwd: string): Promise<string> {
  try {
    const { model, because } = await chooseModel(undefined, env, cwd);
    return `Without --model it is ${model}, because of ${because}.`;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}
