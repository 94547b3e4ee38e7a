export type { AgentApi, ApiMethod } from "../api-methods.ts";
export { liveEvents } from "../live-events.ts";
export type { AgentClient, ConnectOptions } from "./connect.ts";
export { connect } from "./connect.ts";
export type { ArchiveFormat, PreviewLinks, SessionClient, WatchOptions } from "./session-client.ts";
