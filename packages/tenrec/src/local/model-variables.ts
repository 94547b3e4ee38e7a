import { MODEL_VARIABLES } from "@tenrec/runtime/models";

type Variables = Readonly<Record<string, string | undefined>>;

/** What of the environment the Worker's model needs. Empty values count as not set. */
export function modelVariables(env: Variables): Record<string, string> {
  return Object.fromEntries(
    MODEL_VARIABLES.flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}
