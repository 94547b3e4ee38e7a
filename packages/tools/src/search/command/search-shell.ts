import type { Search } from "@tenrec/protocol";

/** What a searching command needs of the shell that it runs in. Paths are absolute paths of that shell. */
export interface SearchShell {
  readonly search: Search;
  readonly fs: SearchShellFiles;
  readonly stdin: { bytes(): Uint8Array };
  readonly signal: AbortSignal;
  /** `path` against the working directory. */
  resolve(path: string): string;
}

/** Files of the shell, those outside of the workspace too. */
interface SearchShellFiles {
  stat(path: string): Promise<{ readonly isFile: boolean; readonly isDirectory: boolean; readonly mtime: Date }>;
  readFileBuffer(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
  realpath(path: string): Promise<string>;
}

export interface SearchCommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}
