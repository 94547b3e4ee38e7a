import { execFileSync } from "node:child_process";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ArchiveEntry } from "./archive-entry.ts";
import { bytesOf } from "./file-content.ts";
import { packZip } from "./pack-zip.ts";
import { packTarGz } from "./tar-gz.ts";
import { packTar } from "./tar.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { bytesOfStream, directory, file, link, streamOf } from "./with-entries.ts";

const entries: ArchiveEntry[] = [
  directory("/d", 0o755),
  file("/d/run.sh", "#!/bin/sh\n", 0o755),
  link("/d/up", "../é.txt"),
  directory("/empty", 0o700),
  file(
    "/large",
    new Uint8Array(1_500_000).map((_, index) => (index * index) % 251),
  ),
  file("/none", ""),
  file(`/${"long/".repeat(30)}name`, "deep"),
  file("/é.txt", "unicode"),
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenrec-interop-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** What is in a folder as lines: mode, path, and content or target. Directories that are not empty are left out. */
async function linesOf(root: string, path = ""): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(join(root, path))).sort()) {
    const inner = `${path}/${name}`;
    const stat = await lstat(join(root, inner));
    const mode = (stat.mode & 0o777).toString(8);
    if (stat.isSymbolicLink()) lines.push(`link ${inner} ${await readlink(join(root, inner))}`);
    else if (stat.isFile()) lines.push(`${mode} ${inner} ${(await readFile(join(root, inner))).toString("base64")}`);
    else if ((await readdir(join(root, inner))).length === 0) lines.push(`${mode} ${inner}/`);
    else lines.push(...(await linesOf(root, inner)));
  }
  return lines;
}

async function linesOfEntries(source: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>): Promise<string[]> {
  const lines: string[] = [];
  const parents = new Set<string>();
  const directories = new Map<string, string>();
  for await (const entry of source) {
    const { path } = entry;
    parents.add(path.slice(0, path.lastIndexOf("/")));
    const mode = entry.mode.toString(8);
    if (entry.kind === "symlink") lines.push(`link ${path} ${entry.target}`);
    else if (entry.kind === "directory") directories.set(path, mode);
    else lines.push(`${mode} ${path} ${Buffer.from(await bytesOf(entry)).toString("base64")}`);
  }
  for (const [path, mode] of directories) if (!parents.has(path)) lines.push(`${mode} ${path}/`);
  return lines.sort(byPath);
}

function byPath(a: string, b: string): number {
  const [left, right] = [a, b].map((line) => line.split(" ")[1] ?? "") as [string, string];
  return left < right ? -1 : 1;
}

async function writeEntries(root: string): Promise<void> {
  for (const entry of entries) {
    const target = join(root, entry.path);
    if (entry.kind === "directory") await mkdir(target, { recursive: true });
    else await mkdir(join(target, ".."), { recursive: true });
    if (entry.kind === "symlink") await symlink(entry.target, target);
    if (entry.kind === "file") await writeFile(target, await bytesOf(entry));
    if (entry.kind !== "symlink") await chmod(target, entry.mode);
  }
}

function has(program: string): boolean {
  try {
    execFileSync(program, [program.startsWith("python") || program.includes("tar") ? "--version" : "-v"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

const PYTHON_ZIP =
  "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print('\\n'.join(z.namelist()))";
const PYTHON_STREAMED = `
import sys,zipfile,io
class Out(io.RawIOBase):
    def writable(self): return True
    def write(self, b): sys.stdout.buffer.write(b); return len(b)
z=zipfile.ZipFile(Out(), 'w', zipfile.ZIP_DEFLATED)
with z.open('streamed.txt', 'w', force_zip64=True) as f: f.write(b'text')
z.writestr('d/', b'')
z.close()`;

/** Programs that read ours into the folder `out`. */
const READERS = [
  ["tar", "tar", packTar, (archive: string, out: string) => run("tar", ["-xpf", archive, "-C", out])],
  ["tar -z", "tar", packTarGz, (archive: string, out: string) => run("tar", ["-xzpf", archive, "-C", out])],
  ["bsdtar on zip", "bsdtar", packZip, (archive: string, out: string) => run("bsdtar", ["-xpf", archive, "-C", out])],
  ["unzip", "unzip", packZip, (archive: string, out: string) => run("unzip", ["-q", archive, "-d", out])],
] as const;

/** Programs that write theirs from a folder. */
const WRITERS = [
  ["tar", "tar", (root: string) => run("tar", ["-cf", "-", "-C", root, "."])],
  ["tar -z", "tar", (root: string) => run("tar", ["-czf", "-", "--format=pax", "-C", root, "."])],
  ["bsdtar --format zip", "bsdtar", (root: string) => run("bsdtar", ["-cf", "-", "--format", "zip", "-C", root, "."])],
  ["zip", "zip", (root: string) => zipOf(root, "zip", ["-qry", "../out.zip", "."])],
] as const;

function run(program: string, args: string[], cwd?: string): Uint8Array {
  return new Uint8Array(execFileSync(program, args, { maxBuffer: 1e8, ...(cwd === undefined ? {} : { cwd }) }));
}

async function zipOf(root: string, program: string, args: string[]): Promise<Uint8Array> {
  run(program, args, root);
  return new Uint8Array(await readFile(join(root, "../out.zip")));
}

const programs = ["tar", "bsdtar", "zip", "unzip", "python3"];
const missing = programs.filter((program) => !has(program));
console.log(
  `${missing.length} of ${programs.length} programs to compare with are missing: ${missing.join(", ") || "none"}`,
);

describe("other programs", () => {
  test.for(READERS)("%s reads ours", async ([, program, pack, read], { skip }) => {
    if (missing.includes(program)) skip(`${program} is missing`);
    const archive = join(folder, "archive");
    await writeFile(archive, await bytesOfStream(pack(entries)));
    await mkdir(join(folder, "out"));
    read(archive, join(folder, "out"));
    expect((await linesOf(join(folder, "out"))).sort(byPath)).toEqual(await linesOfEntries(entries));
  });

  test.for(WRITERS)("we read what %s writes", async ([, program, write], { skip }) => {
    if (missing.includes(program)) skip(`${program} is missing`);
    const root = join(folder, "in");
    await writeEntries(root);
    const bytes = await write(root);
    expect(await linesOfEntries(unpackArchive(streamOf(bytes)))).toEqual(await linesOfEntries(entries));
  });

  test("Python's zipfile finds ours sound, and we read what it streams", async ({ skip }) => {
    if (missing.includes("python3")) skip("python3 is missing");
    const archive = join(folder, "archive.zip");
    await writeFile(archive, await bytesOfStream(packZip(entries)));
    const names = new TextDecoder()
      .decode(run("python3", ["-c", PYTHON_ZIP, archive]))
      .trim()
      .split("\n");
    expect(names).toEqual(entries.map(({ path, kind }) => path.slice(1) + (kind === "directory" ? "/" : "")));
    const streamed = run("python3", ["-c", PYTHON_STREAMED]);
    const lines = await linesOfEntries(unpackArchive(streamOf(streamed)));
    expect(lines.map((line) => line.replace(/^\d+ /, ""))).toEqual(["/d/", `/streamed.txt ${btoa("text")}`]);
  });

  test("a sparse file of GNU tar is refused in either of its formats", async ({ skip }) => {
    if (missing.includes("tar")) skip("tar is missing");
    await mkdir(join(folder, "in"));
    run("truncate", ["-s", "3M", join(folder, "in/sparse")]);
    await writeFile(join(folder, "in/sparse"), "x", { flag: "a" });
    for (const format of ["gnu", "pax"]) {
      const bytes = run("tar", ["-cSf", "-", `--format=${format}`, "-C", join(folder, "in"), "sparse"]);
      await expect(linesOfEntries(unpackArchive(streamOf(bytes)))).rejects.toMatchObject({ code: "EACCES" });
    }
  });
});
