/** A file on its way into a store. */
export interface SourceFile {
  /** With a leading slash. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface GrepRequest {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignoreCase: boolean;
}

/** The lines of a file that match, counted from 1, each once. */
export interface FoundLines {
  readonly path: string;
  readonly lines: readonly number[];
}

/** What every subject that runs in a Worker is asked to do, each with its own means. Ignore files are not heeded. */
export interface Store {
  /** Writes files that are not there yet, durably once the answer has left the object. */
  importFiles(files: readonly SourceFile[]): Promise<void>;
  grep(request: GrepRequest): AsyncIterable<FoundLines> | Promise<Iterable<FoundLines>>;
  /** Paths with a leading slash; the pattern is relative to the root. */
  glob(pattern: string): Promise<string[]>;
  readTexts(paths: readonly string[]): AsyncIterable<string>;
  writeTexts(files: readonly { readonly path: string; readonly text: string }[]): Promise<void>;
}
