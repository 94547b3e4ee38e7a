import type { FileSystem as ShellFileSystem } from "@cloudflare/shell";
import type { FileSystem } from "@tenrec/protocol";
import type { Overlay } from "./overlay/overlay.ts";

declare const overlay: Overlay;
declare const workspace: ShellFileSystem;

/** These compile only while `@cloudflare/shell` takes our trees for its git and tools, and we take its workspaces. */
export const forShell: ShellFileSystem = overlay;
export const forUs: FileSystem = workspace;
