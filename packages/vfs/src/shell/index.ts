export { workspaceFileSystem } from "./workspace-file-system.ts";
export type { WorkspaceInfo, WorkspaceLike } from "./workspace-like.ts";
