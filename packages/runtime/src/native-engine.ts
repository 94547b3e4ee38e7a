/** Name of the loop of `loop.ts` among engines. */
export const NATIVE_ENGINE = "native";
