/** How long an endpoint may take to say which models it has. In milliseconds. */
const TIMEOUT_MS = 5000;

interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
}

/** The name to ask an OpenAI-compatible endpoint for, or why none was found. Never throws. */
export type CompatibleModel = { readonly name: string } | { readonly problem: string };

type Variables = Readonly<Record<string, string | undefined>>;

/** Asks for a model's name where the environment leads to an endpoint and names none. Undefined where it does not. */
export async function askEndpoint(variables: Variables): Promise<CompatibleModel | undefined> {
  const { TENREC_MODEL, ANTHROPIC_API_KEY, OPENAI_BASE_URL, OPENAI_API_KEY } = variables;
  if (TENREC_MODEL || ANTHROPIC_API_KEY || !OPENAI_BASE_URL) return undefined;
  return compatibleModel({ baseUrl: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY });
}

/** The first model that an endpoint lists. */
export async function compatibleModel(endpoint: Endpoint): Promise<CompatibleModel> {
  const listed = await listModels(endpoint);
  if ("problem" in listed) return listed;
  const [name] = listed.names;
  return name === undefined
    ? { problem: `${modelsUrl(endpoint)} lists no model. Load one, or name one in TENREC_MODEL.` }
    : { name };
}

/** All models that an endpoint lists, or why they are not known. Never throws. */
export async function listModels(
  endpoint: Endpoint,
): Promise<{ readonly names: readonly string[] } | { readonly problem: string }> {
  const { apiKey } = endpoint;
  const url = modelsUrl(endpoint);
  try {
    const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401 || response.status === 403) {
      return { problem: `${url} refused the key (${response.status}). Check OPENAI_API_KEY.` };
    }
    if (!response.ok) {
      return { problem: `${url} answered with status ${response.status}. OPENAI_BASE_URL should end in /v1.` };
    }
    return { names: namesIn(await response.json()) };
  } catch (error) {
    return {
      problem: `${url} cannot be reached (${reason(error)}). Start the server behind it, or check OPENAI_BASE_URL.`,
    };
  }
}

function modelsUrl({ baseUrl }: Endpoint): string {
  return `${baseUrl.replace(/\/+$/, "")}/models`;
}

function namesIn(body: unknown): string[] {
  if (typeof body !== "object" || body === null || !("data" in body) || !Array.isArray(body.data)) return [];
  return (body.data as unknown[]).flatMap((model) => {
    const isNamed = typeof model === "object" && model !== null && "id" in model && typeof model.id === "string";
    return isNamed ? [model.id as string] : [];
  });
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  if (error instanceof SyntaxError) return "the answer is not JSON";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.message;
}
