import type { ReadStream } from "node:tty";
import type { Paint } from "../terminal/paint.ts";

/** All that a command knows of the process it runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the user is. */
  readonly cwd: string;
  /** Folder of the user's sessions. */
  readonly data: string;
  readonly stdin: ReadStream & { readonly fd: number };
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly paint: Paint;
  readonly width: number;
  /** How the user calls this program. */
  readonly program: string;
  readonly now: () => number;
  /** Aborted by the first Ctrl-C. */
  readonly stop: AbortSignal;
}
