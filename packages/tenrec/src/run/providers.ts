/** A provider of models that the command can use, by the word before the slash. */
export interface Provider {
  readonly name: string;
  /** Must be set. */
  readonly variable: string;
  /** How to get what the variable holds. */
  readonly how: string;
  /** The variable as one would set it. */
  readonly example: string;
}

/** `workers-ai` is not among them: its binding exists in a deployed Worker only. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: "anthropic",
    variable: "ANTHROPIC_API_KEY",
    how: "a key from https://platform.claude.com/settings/keys",
    example: "ANTHROPIC_API_KEY=sk-ant-…",
  },
  {
    name: "openai",
    variable: "OPENAI_API_KEY",
    how: "a key from https://platform.openai.com/api-keys",
    example: "OPENAI_API_KEY=sk-…",
  },
  {
    name: "openai-compatible",
    variable: "OPENAI_BASE_URL",
    how: "the address of a server such as Ollama, LM Studio or vLLM",
    example: "OPENAI_BASE_URL=http://localhost:11434/v1",
  },
  {
    name: "gateway",
    variable: "AI_GATEWAY_URL",
    how: "a Cloudflare AI Gateway; its token goes into CF_AIG_TOKEN",
    example: "AI_GATEWAY_URL=https://gateway.ai.cloudflare.com/v1/<account>/<gateway>",
  },
];

/** Those that choose a model by themselves. */
export const KEYS: readonly Provider[] = PROVIDERS.filter(({ name }) => name !== "gateway");
