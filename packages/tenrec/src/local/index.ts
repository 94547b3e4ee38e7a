export { claimState, type StateFolder } from "./claim-state.ts";
export { askEndpoint, type CompatibleModel } from "./compatible-model.ts";
export { freePort, USUAL_PORT } from "./free-port.ts";
export { modelNote } from "./model-note.ts";
export { modelVariables } from "./model-variables.ts";
export { readVariables } from "./secrets.ts";
export { createServer, type Server } from "./server.ts";
export { isPortTaken, StartError } from "./start-error.ts";
export { parseStartOptions } from "./start-options.ts";
