import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withTools } from "../../../with-tools.ts";
import { CALLS, OTHER, PROGRAMS, TEXTS } from "./with-awk-programs.ts";
import { MORE_PROGRAMS } from "./with-more-awk-programs.ts";

const GAWK = "gawk";
const isThere = /GNU Awk 5/.test(spawnSync(GAWK, ["--version"], { encoding: "utf8" }).stdout ?? "");
/** Each program is for one of the texts, unless all are asked for. */
const isLong = process.env["TENREC_RUNS"] !== undefined;

const FILES: Readonly<Record<string, string>> = {
  f1: OTHER,
  prog: '# x\n{ print "p:" $1 }\n',
  prog2: "END { print NR }",
};

interface Outcome {
  readonly code: number;
  readonly files: Readonly<Record<string, string>>;
}

function real(args: readonly string[], text: string): Outcome {
  const folder = mkdtempSync(join(tmpdir(), "tenrec-awk-"));
  try {
    for (const [name, content] of Object.entries({ ...FILES, in: text })) writeFileSync(join(folder, name), content);
    const env = { LC_ALL: "C.UTF-8", TZ: "UTC", PATH: process.env["PATH"] };
    const { stdout, status } = spawnSync(GAWK, args, {
      argv0: "awk",
      cwd: folder,
      env,
      input: "std in\n",
      timeout: 5000,
    });
    writeFileSync(join(folder, "stdout"), stdout);
    return { code: status ?? -1, files: filesOf(readdirSync(folder), (name) => readFileSync(join(folder, name))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesOf(names: readonly string[], read: (name: string) => Uint8Array): Record<string, string> {
  return Object.fromEntries(names.toSorted().map((name) => [name, Buffer.from(read(name)).toString("latin1")]));
}

function ours(args: readonly string[], text: string): Promise<Outcome> {
  const files = Object.fromEntries(
    Object.entries({ ...FILES, in: text }).map(([name, content]) => [`/${name}`, content]),
  );
  return withTools(files, async ({ call, fs }) => {
    const words = args.map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
    const { data } = await call("bash", { command: `printf 'std in\\n' | awk ${words.join(" ")} > stdout` });
    const { exitCode } = data as { exitCode: number };
    const names = await fs.readdir("/");
    const bytes = new Map<string, Uint8Array>();
    for (const name of names) bytes.set(name, await fs.readFileBytes(`/${name}`));
    return { code: exitCode, files: filesOf(names, (name) => bytes.get(name) ?? new Uint8Array()) };
  });
}

describe.skipIf(!isThere)("awk beside GNU's", () => {
  test.each([...PROGRAMS, ...(isLong ? MORE_PROGRAMS : [])].map((program, at) => [program, at] as const))(
    "%j",
    async (program, at) => {
      const texts = isLong ? TEXTS : TEXTS.slice(at % TEXTS.length).slice(0, 1);
      for (const text of texts) {
        const args = [program, "in"];
        expect({ args, ...(await ours(args, text)) }).toEqual({ args, ...real(args, text) });
      }
    },
  );

  test.each(CALLS.map((args) => ({ args })))("$args", async ({ args }) => {
    for (const text of isLong ? TEXTS : TEXTS.slice(0, 1))
      expect({ args, ...(await ours(args, text)) }).toEqual({ args, ...real(args, text) });
  });
});
