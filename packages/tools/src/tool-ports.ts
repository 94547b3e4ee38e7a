import type { EffectEvent, Egress, Executor, FileSystem, Gate, GitRepository, Search } from "@tenrec/protocol";
import type { PreviewPort } from "./preview/preview.ts";

/** Where output goes that does not fit into an answer. */
export interface SavedOutputs {
  /** Keeps the text, and returns the path below `/output` at which the `read` tool finds it. */
  save(text: string): string;
  /**
   * What an answer passes through before it is cut, as secrets are taken out of it: of one that was cut in two, neither
   * half would be known. Default: it stays as it is.
   */
  clean?(text: string): string;
  /** The text saved at a path; undefined when there is none. */
  read(path: string): string | undefined;
}

/** What the model knows of the files: the content that it last read or wrote itself. Hashes are SHA-256 in hex. */
export interface SeenFiles {
  /** Of a file at a tree path, the hash of the content that the model knows; undefined when it knows none. */
  last(path: string): string | undefined;
  /** From here on it knows this content. Kept with the call's result, so a call that is dropped leaves nothing. */
  see(path: string, hash: string): void;
}

/** All that the tools reach. Made anew for each call, over a copy-on-write overlay that the host commits afterwards. */
export interface ToolPorts {
  readonly fs: FileSystem;
  readonly search: Search;
  /** The repository of the tree, made when it is first asked for, and the same after that. Its operations end when the signal is aborted. Absent where the host keeps none: `git` needs an executor then. */
  readonly git?: (signal: AbortSignal) => GitRepository;
  readonly gate: Gate;
  readonly outputs: SavedOutputs;
  readonly seen: SeenFiles;
  /** Tree paths of the files that the call has changed so far. */
  readonly changed: () => readonly string[];
  /** In order of preference: the first that accepts a command line runs it. */
  readonly executors: readonly Executor[];
  /** The way to the internet, through the same gate. Absent where there is none: what needs it is then left out. */
  readonly egress?: Egress;
  /** The app in the files, live. Absent where nothing can show it: the tool for it is then left out. */
  readonly preview?: PreviewPort;
  /** Identifies this call's run in an executor. */
  readonly operationId: string;
  /**
   * Called right before the first effect outside the tree, such as a command in an executor. It is durable when this
   * returns: the call will not be repeated after a crash. `kind` is `process` by default.
   */
  readonly onEffect?: (target: string, kind?: EffectEvent["kind"]) => void;
  /** Told the output of a command that runs in an executor, as it comes. */
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void;
}
