export { listen } from "./listen.ts";
export type { Listening } from "./listen.ts";
export { provideModelServer } from "./provide-model-server.ts";
export type { SetupContext } from "./provide-model-server.ts";
export { serveScripts } from "./serve-scripts.ts";
