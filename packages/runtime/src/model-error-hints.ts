import { factsOf } from "./models-providers.ts";

/** What a person can do about a failed call, a sentence or two for each thing that can be wrong. */
export interface Hints {
  /** For an HTTP status; undefined when nothing can be said that the provider has not said itself. */
  status(status: number, said: string): string | undefined;
  /** Where to look when the connection could not be made, or broke. */
  readonly network: string;
  /** Where to look when nothing comes. */
  readonly silence: string;
  /** Where to look when what answers is no model. */
  readonly noModel: string;
}

const TOO_LARGE = "Start a new session, or use a model with a larger context.";
const LATER = "Try again in a while.";

/** The providers' words for a conversation that does not fit, which have the status of any other bad request. */
const NO_ROOM = /context.{0,10}(length|window)|too (long|many tokens)|maximum.{0,20}tokens/i;

/** They name the variables that the model's provider is configured by, so that nobody has to look them up. */
export function hintsFor(model: string): Hints {
  const facts = factsOf(model);
  const name = `the model's name "${model.slice(model.indexOf("/") + 1)}"`;
  const address = addressOf(model);
  const onWorkersAi = model.startsWith("workers-ai/");
  const key = facts?.key ?? "it";
  const refused = onWorkersAi
    ? "Workers AI refused this account. Log in with: npx wrangler login. Check that the account may use Workers AI."
    : `The key was refused. Check that ${key} is set, complete and not expired.`;
  const plan = onWorkersAi ? "the Workers AI plan of this account" : "the plan of this key";
  const orAddress = address ? ` and ${address}` : "";
  const statuses: Readonly<Record<number, string>> = {
    400: "The provider does not take the request as it is. Check that the model can use tools, or use another model.",
    401: refused,
    402: "The account has no credit left. Add some, or use another model.",
    403: `The key may not use this model. Check the permissions of ${facts?.key ?? "the key"}.`,
    404: `Check ${name}${orAddress}.`,
    408: LATER,
    413: `The request is too large for this model. ${TOO_LARGE}`,
    429: `The rate limit or the quota is used up. Wait and submit again, or check ${plan}.`,
    502: `The provider, or something before it, has trouble. ${LATER} If it goes on, check ${address || "the network"}.`,
    529: `The provider is overloaded. ${LATER}`,
  };
  return {
    status: (status, said) => {
      if (status === 400 && NO_ROOM.test(said)) return TOO_LARGE;
      return statuses[status] ?? (status >= 500 ? `The provider has trouble. ${LATER}` : undefined);
    },
    network: `the network${orAddress}`,
    silence: `${address ? `${address}, or ` : ""}whether another model answers`,
    noModel: `${name}${orAddress}`,
  };
}

/** Where to look for a wrong address; empty where there is none to set. */
function addressOf(model: string): string {
  if (model.startsWith("workers-ai/")) return "";
  const facts = factsOf(model);
  if (!facts?.address) return "the address";
  return facts.needsAddress
    ? `the address (${facts.address})`
    : `the address (${facts.address} or AI_GATEWAY_URL, if one is set)`;
}
