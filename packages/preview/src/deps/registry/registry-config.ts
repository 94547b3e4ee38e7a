/** Where packages come from. */
export interface RegistryConfig {
  /** The registry of a package. */
  registryOf(name: string): string;
  /** The token for an address of a registry, where there is one. */
  tokenFor(url: string): string | undefined;
}

const TOKEN = ":_authToken";
const PUBLIC_REGISTRY = "https://registry.npmjs.org";

/**
 * What an `.npmrc` says of registries, scopes and tokens: https://docs.npmjs.com/cli/v11/configuring-npm/npmrc. Values that
 * name a variable of the environment count as absent: there is none here.
 */
export function registryConfig(npmrc: string | undefined, defaultRegistry: string = PUBLIC_REGISTRY): RegistryConfig {
  const settings = new Map<string, string>();
  for (const line of (npmrc ?? "").split(/\r?\n/)) {
    const equals = line.indexOf("=");
    const [key, value] = [line.slice(0, Math.max(0, equals)).trim(), line.slice(equals + 1).trim()];
    if (key !== "" && !/^[#;]/.test(key) && !value.includes("${")) settings.set(key, unquote(value));
  }
  const tokens = Array.from(settings).flatMap(([key, token]): [string, string][] =>
    key.startsWith("//") && key.endsWith(TOKEN) ? [[withoutSlashes(key.slice(2, -TOKEN.length)), token]] : [],
  );
  const address = (key: string): string | undefined => {
    const value = settings.get(key);
    return value !== undefined && /^https?:\/\//.test(value) && URL.canParse(value) ? withoutSlashes(value) : undefined;
  };
  return {
    registryOf(name) {
      const scope = /^@[^/]+/.exec(name)?.[0];
      const ofScope = scope === undefined ? undefined : address(`${scope}:registry`);
      return ofScope ?? address("registry") ?? defaultRegistry;
    },
    tokenFor(url) {
      const { host, pathname } = new URL(url);
      // A token counts for what is below its path; of several, that of the longest.
      let [token, length]: [string | undefined, number] = [undefined, 0];
      for (const [path, one] of tokens) {
        const isBelow = `${host}${pathname}/`.startsWith(`${path}/`);
        if (isBelow && path.length > length) [token, length] = [one, path.length];
      }
      return token;
    },
  };
}

function withoutSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}

function unquote(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}
