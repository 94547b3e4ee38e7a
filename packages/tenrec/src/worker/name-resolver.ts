import type { NetworkOptions } from "@tenrec/runtime";

/** What looks up names for the Worker: `resolve-names.ts`, in the process that started it. */
export interface NameService {
  fetch(url: string): Promise<Response>;
}

/**
 * In local workerd a request reaches all that this machine reaches, so that a name which leads to it, or into its network,
 * has to be looked up first; without a service, no name is reached. A deployed Worker has no such service and needs none.
 */
export function nameResolver(names: NameService | undefined): NonNullable<NetworkOptions["resolve"]> {
  return async (name) => {
    if (!names) throw new Error("nothing looks up names: TENREC_NAMES is not set");
    const response = await names.fetch(`http://names/?name=${encodeURIComponent(name)}`);
    return (await response.json()) as string[];
  };
}
