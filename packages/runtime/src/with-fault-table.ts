import type { FAULTS } from "@tenrec/testkit";
import type { ProviderUnderTest } from "./with-providers.ts";

type Provider = ProviderUnderTest["name"];

/** What can go wrong with the configuration rather than with an answer. */
type SetupFault = "no key, no address, no binding" | "nobody listens";

export type FaultName = keyof typeof FAULTS | SetupFault;

/** What a user meets of a fault, at one provider. */
export interface Outcome {
  readonly provider: Provider;
  readonly fault: FaultName;
  /** Of `turn-end`, with `KEY` and `ADDRESS` for the provider's variables and `…` for the model's name. */
  readonly text: string;
  /** Model calls made. */
  readonly calls: number;
  readonly done: boolean;
  /** The turn is done when only its first call meets the fault. */
  readonly passes: boolean;
}

interface Expected {
  readonly calls: number;
  readonly done?: true;
  readonly passes?: true;
  /** By provider where it differs; null where it cannot happen. */
  readonly saw: { readonly all: RegExp } & { readonly [name in Provider]?: RegExp | null };
}

/** The Worker's variables for faults that are none of an answer. */
export const SETUPS: { readonly [name: string]: (provider: ProviderUnderTest) => object } = {
  "no key, no address, no binding": () => ({
    ANTHROPIC_API_KEY: "",
    OPENAI_API_KEY: "",
    OPENAI_BASE_URL: "",
    AI: undefined,
  }),
  "nobody listens": () => {
    const nowhere = "http://127.0.0.1:9/v1";
    return { ANTHROPIC_BASE_URL: nowhere, OPENAI_API_BASE: nowhere, OPENAI_BASE_URL: nowhere };
  },
} satisfies Record<SetupFault, (provider: ProviderUnderTest) => object>;

const limit = /^Model "…" failed with status 429: Too many requests\. .*Wait and submit again.*Tried 3 times\.$/;
const limitHere = /status 429: 3036: Too many requests\. .*Wait and submit again, or check the Workers AI plan/;
const noModel =
  /^Model "…" failed: What came is no model's answer\. Check the model's name "…" and the address \(ADDRESS/;
const empty = /^Model "…" failed: The answer was empty\. Check the model's name "…"\. Tried 3 times\.$/;
const cut = (what: string): RegExp =>
  new RegExp(`^Model "…" failed: The answer was cut off: ${what} Submit again to go on from here\\.`);
const broke = /cut off: the connection broke\. Submit again .* check the network/;
const ended = cut("it ended before it was complete\\.");
const failed = cut("it failed, or ended before it was complete\\.");

/** What is expected of each fault: the sentence, the calls made, and whether a fault that passes is survived. */
export const EXPECTED: { readonly [fault in FaultName]: Expected } = {
  "no key, no address, no binding": {
    calls: 1,
    saw: {
      all: /^Model "…" needs the variable KEY\. Set it in the shell .*wrangler secret put KEY\.$/,
      "openai-compatible": /^Model "…" needs the variable ADDRESS\. Set it in the shell/,
      "workers-ai": /^Model "…" needs a Workers AI binding\. Add .* to wrangler\.jsonc\.$/,
    },
  },
  "nobody listens": {
    calls: 3,
    saw: {
      all: /^Model "…" failed: .*Check the network and the address \(ADDRESS.*Tried 3 times\.$/,
      "workers-ai": null,
    },
  },
  "401": {
    calls: 1,
    saw: {
      all: /^Model "…" failed with status 401: The key is wrong\. .*Check that KEY is set, complete and not expired\.$/,
      "workers-ai": /status 401: 10000: The key is wrong\. .*Log in with: npx wrangler login/,
    },
  },
  "404": {
    calls: 1,
    saw: {
      all: /^Model "…" failed with status 404: There is no such model\. Check the model's name "…" and the address/,
      "workers-ai": /status 404: 5007: There is no such model\. Check the model's name "…"\.$/,
    },
  },
  "429 with seconds": { calls: 3, passes: true, saw: { all: limit, "workers-ai": limitHere } },
  "429 with a date": { calls: 3, passes: true, saw: { all: limit, "workers-ai": limitHere } },
  "500": {
    calls: 3,
    passes: true,
    saw: { all: /status 500: .*Something broke\. .*Try again in a while\. Tried 3 times\.$/ },
  },
  "529": {
    calls: 3,
    passes: true,
    saw: { all: /status 529: .*Overloaded\. .*Try again in a while\. Tried 3 times\.$/ },
  },
  "HTML with 502": {
    calls: 3,
    passes: true,
    saw: {
      all: /status 502: Bad Gateway\. .*Try again in a while\. If it goes on, check the address \(ADDRESS/,
      "workers-ai": /It sent a page instead of an answer\. Try again in a while\. Tried 3 times\.$/,
    },
  },
  "HTML with 200": { calls: 3, passes: true, saw: { all: noModel, "workers-ai": empty } },
  garbage: { calls: 3, passes: true, saw: { all: noModel, "workers-ai": empty } },
  "garbage in mid stream": {
    calls: 1,
    // The Workers AI package leaves out what it cannot read, and nobody is told.
    saw: { all: cut("a part of it could not be read\\."), "workers-ai": /^half whole$/ },
  },
  "empty stream": { calls: 3, passes: true, saw: { all: noModel, "workers-ai": empty } },
  "slow first byte": { calls: 1, done: true, passes: true, saw: { all: /^ok$/ } },
  "stall before any byte": {
    calls: 3,
    passes: true,
    saw: { all: /: Nothing came for 5 minutes\. Try again in a while\. If it goes on, check .*Tried 3 times\.$/ },
  },
  "stall in mid text": { calls: 1, saw: { all: cut("nothing came for 2 minutes\\.") } },
  "cut before any byte": {
    calls: 3,
    passes: true,
    saw: { all: /: Network connection lost\. Check the network.* or try again in a while\. Tried 3 times\.$/ },
  },
  "cut in mid text": { calls: 1, saw: { all: broke } },
  "cut in mid call": { calls: 1, saw: { all: broke } },
  "end in mid text": { calls: 1, saw: { all: ended, "workers-ai": failed } },
  "end in mid call": { calls: 1, saw: { all: ended, "workers-ai": failed } },
  "error before any text": {
    calls: 3,
    passes: true,
    saw: {
      all: /Overloaded\. .*Try again in a while\. Tried 3 times\.$/,
      "workers-ai": /: The provider failed and did not say why\. Try again in a while\. Tried 3 times\.$/,
    },
  },
  "error in mid text": {
    calls: 1,
    saw: { all: /cut off: .*Overloaded\..* Submit again to go on from here\.$/, "workers-ai": failed },
  },
};

/** The outcomes as a Markdown table; providers for which a fault looks the same share a line. */
export function tableOf(faults: readonly FaultName[], outcomes: readonly Outcome[]): string {
  const rows = faults.flatMap((fault) => {
    const lines = new Map<string, string[]>();
    const own = outcomes.filter((outcome) => outcome.fault === fault);
    for (const { text, calls, done, passes, provider } of own) {
      const goesOn = done ? "the same" : passes ? "it goes on" : "the same";
      const line = `${calls} | ${text.replaceAll("|", "\\|")} | ${goesOn} |`;
      lines.set(line, [...(lines.get(line) ?? []), provider]);
    }
    return [...lines].map(([line, names]) => {
      const who = names.length === 4 ? "all" : names.join(", ");
      return `| ${fault} | ${who} | ${line}`;
    });
  });
  return ["| fault | provider | calls | what the user sees | met once |", "|---|---|---|---|---|", ...rows].join("\n");
}
