import type { FileSystem, ToolOutput } from "@tenrec/protocol";
import { isBinary, TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import type { CodingTool } from "../coding-tool.ts";
import { createCodingTool } from "../coding-tool.ts";
import { contentHash } from "../content-hash.ts";
import type { Replacement } from "./apply.ts";
import { applyReplacements, inOrder } from "./apply.ts";
import { changedText } from "./changed-text.ts";
import { changedLines } from "./diff.ts";
import { matchEdit } from "./match.ts";
import type { EditTarget, TextEdit } from "./target.ts";
import { createTarget } from "./target.ts";
import { inputSchema, textField } from "../input-schema.ts";
import { PATH_NAMES } from "../other-names.ts";
import { withOwnEdits } from "./own-edits.ts";
import type { SeenFiles } from "../tool-ports.ts";
import { tellNearest } from "../search/missing-file.ts";
import type { NearestPathPort } from "../search/nearest-path.ts";
import { toModelPath, toTreePath } from "../workspace-path.ts";

export interface EditInput {
  path: string;
  edits: TextEdit[];
}

export type EditPort = Pick<FileSystem, "readFileBytes" | "stat" | "writeFile" | "contentHash"> &
  Partial<NearestPathPort>;

/** A text is held several times while it is edited, and the object has 128 MB. */
const MAX_EDIT_BYTES = 10 * 1024 * 1024;

/** What is looked through before others get a turn, in characters. */
const CHARS_PER_TURN = 16 * 1024 * 1024;

export interface EditPorts {
  readonly fs: EditPort;
  /** Absent where nobody keeps it; then every file counts as known. */
  readonly seen?: SeenFiles;
}

/**
 * Replaces pieces of a text file. All edits are matched against the file as it was, so none sees another's result; either
 * all of them happen or none. Every byte outside the matches stays: line ends, byte order mark, a missing last newline.
 * Of a file that has changed since the model read it, only text that is there to the letter and once is replaced; anything
 * else is refused with the text as it is now.
 */
export async function editFile({ fs, seen }: EditPorts, input: EditInput, signal?: AbortSignal): Promise<ToolOutput> {
  const path = toTreePath(input.path);
  const name = toModelPath(path);
  const before = await readText(fs, path);
  const target = createTarget(before);
  const known = seen?.last(path);
  const hash = known === undefined ? undefined : await contentHash(fs, path);
  const isStale = known !== hash;
  const doubtful = isStale ? input.edits.find((edit) => edit.replaceAll || !isUnique(before, edit.oldText)) : undefined;
  if (doubtful) {
    const now = changedText(name, target, doubtful.oldText);
    if (hash !== undefined && now.isWhole) seen?.see(path, hash);
    throw failed(now.reason);
  }
  const replacements = inOrder(await matchAll(target, input, name, signal), name);
  const after = applyReplacements(before, replacements);
  if (after === before) throw failed(identical(input, target, name));
  await fs.writeFile(path, after);
  // Of a file that it did not know, the model knows no more than the edit.
  if (known !== undefined && !isStale) seen?.see(path, await contentHash(fs, path));
  const { text, added, removed } = changedLines(target, replacements);
  const note = isStale ? `\n${name} had changed since it was read; the edit fits its text as it is now.` : "";
  return {
    text: `Edited ${name} in ${places(replacements.length)} (+${added} -${removed})${note}\n${text}`,
    data: { path: name, added, removed },
  };
}

/** Each edit goes through all of the text, so others get a turn of the event loop between them. */
async function matchAll(
  target: EditTarget,
  input: EditInput,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Replacement[]> {
  const matches: Replacement[][] = [];
  let sought = 0;
  for (const [index, edit] of input.edits.entries()) {
    matches.push(matchEdit(target, edit, label(input, index), name));
    sought += target.text.length;
    if (sought < CHARS_PER_TURN) continue;
    sought = 0;
    await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
  }
  return matches.flat();
}

function places(count: number): string {
  return count === 1 ? "1 place" : `${count} places`;
}

/** To the letter, but for line ends, which the model does not see. */
function isUnique(text: string, part: string): boolean {
  const [there, wanted] = [text, part].map((each) => each.replaceAll("\r\n", "\n")) as [string, string];
  const at = there.indexOf(wanted);
  return wanted !== "" && at !== -1 && there.indexOf(wanted, at + 1) === -1;
}

async function readText(fs: EditPort, path: string): Promise<string> {
  const { type, size } = await fs.stat(path);
  if (type === "directory") throw new TenrecError("EISDIR", { path });
  if (size > MAX_EDIT_BYTES) throw new TenrecError("EFBIG", { path, size, limit: MAX_EDIT_BYTES });
  const bytes = await fs.readFileBytes(path);
  const name = toModelPath(path);
  if (isBinary(bytes)) throw failed(`${name} is a binary file. Change it with bash`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Writing it back would turn every such byte into U+FFFD.
    throw failed(`${name} is not valid UTF-8, so an edit would damage it. Change it with bash, such as sed -i`);
  }
}

function label(input: EditInput, index: number): string {
  return input.edits.length === 1 ? "oldText" : `edits[${index}].oldText`;
}

function identical({ edits }: EditInput, { text }: EditTarget, name: string): string {
  const same = `${name} would not change: oldText and newText say the same`;
  const onlyEnds = edits.some(({ oldText, newText }) => oldText !== newText);
  return onlyEnds && text.includes("\n") ? `${same}. Line ends are kept as they are; to change them use bash` : same;
}

function failed(reason: string): TenrecError<"tool-failed"> {
  return new TenrecError("tool-failed", { tool: "edit", reason });
}

const schema = inputSchema<EditInput>(
  z.strictObject({
    path: z.string().min(1),
    edits: z
      .array(
        z.strictObject({
          oldText: textField().describe("exact text of the file"),
          newText: textField(),
          replaceAll: z.boolean().optional(),
        }),
      )
      .min(1),
  }),
  PATH_NAMES,
  withOwnEdits,
);

/** The `edit` tool. */
export function createEditTool(ports: EditPorts): CodingTool {
  return createCodingTool<EditInput>({
    name: "edit",
    description:
      "Replace text in a file. Each oldText must be in the file as it is now, once, without line numbers; edits must not overlap.",
    schema,
    traits: { replay: "transaction", permission: "edit" },
    run: (input, signal) => tellNearest(ports.fs, () => editFile(ports, input, signal)),
  });
}
