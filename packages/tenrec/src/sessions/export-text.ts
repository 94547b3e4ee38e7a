import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { Surroundings } from "../cli/surroundings.ts";
import { useSession } from "./use-session.ts";

/** `tenrec sessions export`: prints the session. A reader that stops early, such as `head`, ends it. */
export async function exportText(prefix: string, isMarkdown: boolean, around: Surroundings): Promise<ExitCode> {
  return useSession(prefix, around, async ({ session }) => {
    const text = await session.export(isMarkdown ? "markdown" : "jsonl");
    const { stdout } = around;
    await text.pipeTo(
      new WritableStream<Uint8Array>({
        write: (piece) =>
          new Promise((resolve, reject) => stdout.write(piece, (error) => (error ? reject(error) : resolve()))),
      }),
    );
    return EXIT.done;
  });
}
