import type { FileSystemEntryType } from "@tenrec/protocol";

/** What a workspace says about a path. */
export interface WorkspaceInfo {
  readonly name: string;
  readonly type: FileSystemEntryType;
  /** Bytes of a file. */
  readonly size: number;
  /** Milliseconds since the epoch, of whole seconds. */
  readonly updatedAt: number;
}

/** The part of the `Workspace` of `@cloudflare/shell` that is used. A proxy over RPC will do. */
export interface WorkspaceLike {
  lstat(path: string): Promise<WorkspaceInfo | null>;
  readlink(path: string): Promise<string>;
  readFileBytes(path: string): Promise<Uint8Array | null>;
  writeFile(path: string, content: string): Promise<void>;
  writeFileBytes(path: string, content: Uint8Array): Promise<void>;
  readDir(path: string, options: { limit: number; offset: number }): Promise<readonly WorkspaceInfo[]>;
  mkdir(path: string): Promise<void>;
  rm(path: string, options: { recursive: boolean }): Promise<void>;
  mv(from: string, to: string): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
}
