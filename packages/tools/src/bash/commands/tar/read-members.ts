import type { CommandContext, CommandOutput } from "../../shell-command.ts";
import { readInput } from "../read-inputs.ts";
import { createExtractor, type Extractor } from "./extract-member.ts";
import { createLister } from "./list-member.ts";
import { isExcluded, isNamed } from "./member-names.ts";
import { ArchiveError, isGzip, readArchive, type TarMember } from "./read-archive.ts";
import { type TarOptions, verbosity } from "./tar-options.ts";
import type { TarOutput } from "./tar-output.ts";

/** What other compressions begin with: bzip2, xz and zstd. */
const FOREIGN = /^(BZh|\u00fd7zXZ|\u0028\u00b5\u002f\u00fd)/;

export interface Reading {
  readonly extracts: boolean;
  readonly folder: string;
  /** Names of the members that are wanted; none for all of them. */
  readonly operands: readonly string[];
  readonly excluded: readonly string[];
}

/** `tar t` and `tar x`. */
export async function readMembers(
  options: TarOptions,
  reading: Reading,
  context: CommandContext,
  output: TarOutput,
): Promise<CommandOutput> {
  const file = options.value("f") ?? "-";
  const { bytes, problem } = await readInput(file, context);
  if (problem !== undefined) throw new ArchiveError(`${file}: Cannot open: ${problem}`);
  if (FOREIGN.test(String.fromCharCode(...bytes.subarray(0, 6)))) return context.elsewhere();
  checkCompression(bytes, file, options.has("z"));
  const isWanted = createChoice(reading, options.has("wildcards"), output);
  const extractor = createExtractor(extractionOf(options, reading.folder), context, output);
  const use = reading.extracts ? extraction(options, extractor, output) : async () => true;
  const list = createLister(options.has("numeric-owner"));
  // A listing is already what a first `v` is to an extraction.
  const level = verbosity(options) + (reading.extracts ? 0 : 1);
  try {
    for await (const member of readArchive(bytes, context.signal)) {
      if (!isWanted.has(member.header.name) || !(await use(member))) continue;
      if (level > 0) output.print(level > 1 ? list(member.header) : `${member.header.name}\n`);
    }
  } finally {
    await extractor.finish();
  }
  isWanted.end();
  return output.end();
}

/** tar looks for itself what a file is compressed with, but not what a pipe is. */
function checkCompression(bytes: Uint8Array, file: string, isAsked: boolean): void {
  if (isAsked && !isGzip(bytes)) throw new ArchiveError("gzip: stdin: not in gzip format");
  if (file === "-" && isGzip(bytes) && !isAsked) throw new ArchiveError("Archive is compressed. Use -z option");
}

interface Choice {
  has(name: string): boolean;
  /** Tells of the operands that no member had. */
  end(): void;
}

function createChoice({ operands, excluded }: Reading, isGlob: boolean, output: TarOutput): Choice {
  const unseen = new Set(operands);
  return {
    has(name) {
      const naming = operands.filter((operand) => isNamed(name, operand, isGlob));
      for (const operand of naming) unseen.delete(operand);
      return (operands.length === 0 || naming.length > 0) && !isExcluded(name, excluded);
    },
    end() {
      for (const operand of unseen) output.fail(`${operand}: Not found in archive`);
    },
  };
}

function extraction(
  options: TarOptions,
  extractor: Extractor,
  output: TarOutput,
): (member: TarMember) => Promise<boolean> {
  if (!options.has("O")) return (member) => extractor.extract(member);
  return async ({ data }) => {
    output.print(data);
    return true;
  };
}

function extractionOf(options: TarOptions, folder: string): Parameters<typeof createExtractor>[0] {
  return {
    folder,
    strip: Number(options.value("strip-components") ?? 0),
    keepsOld: options.has("k"),
    keepsRoot: options.has("P"),
    keepsModes: options.has("p"),
  };
}
