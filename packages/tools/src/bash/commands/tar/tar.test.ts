import { packTar, type TarEntry } from "modern-tar";
import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { withTools } from "../../../with-tools.ts";

const file = (name: string, body = "new\n"): TarEntry => ({ header: { name, type: "file", size: body.length }, body });
const link = (name: string, linkname: string, type: "symlink" | "link" = "symlink"): TarEntry => ({
  header: { name, type, size: 0, linkname },
});

describe("tar: archives that were made to do harm", () => {
  it.each<[what: string, entries: TarEntry[], text: string | RegExp, files: Record<string, string | null>]>([
    [
      "a name above the folder",
      [file("../up.txt"), file("good.txt")],
      /\.\.\/up\.txt: Member name contains '\.\.'/,
      { "/up.txt": null, "/in/up.txt": null, "/in/good.txt": "new\n" },
    ],
    ["one in the middle", [file("a/../../keep.txt")], /Member name contains '\.\.'/, { "/keep.txt": "old\n" }],
    [
      "an absolute name",
      [file("/workspace/keep.txt")],
      /Removing leading `\/' from member names/,
      { "/keep.txt": "old\n", "/in/workspace/keep.txt": "new\n" },
    ],
    [
      "a link out of the folder, and a file through it",
      [link("out", ".."), file("out/keep.txt")],
      /out: Cannot create symlink to '\.\.': File exists/,
      { "/keep.txt": "old\n", "/in/out/keep.txt": "new\n" },
    ],
    [
      "a file in place of a link",
      [link("l", "k"), file("l")],
      "(no output, exit code 0)",
      { "/in/l": "new\n", "/in/k": null },
    ],
    [
      "a file over a link that is there",
      [file("there")],
      "(no output, exit code 0)",
      { "/keep.txt": "old\n", "/in/there": "new\n" },
    ],
    [
      "a hard link to what is above",
      [link("h", "../keep.txt", "link")],
      /h: Cannot hard link to '\.\.\/keep\.txt'/,
      { "/in/h": null },
    ],
    ["a device", [{ header: { name: "d", type: "character-device", size: 0 } }], /d: Cannot mknod/, { "/in/d": null }],
    ["a name without end", [file(`${"a/".repeat(600)}b`)], /A name in the archive is too long/, {}],
  ])("%s", async (_what, entries, text, files) => {
    const bytes = await packTar(entries);
    await withTools({ "/a.tar": bytes, "/keep.txt": "old\n" }, async ({ call, fs }) => {
      await fs.mkdir("/in");
      await fs.symlink("../keep.txt", "/in/there");
      const output = await call("bash", { command: "tar xf a.tar -C in" });
      if (typeof text === "string") expect(output.text).toBe(text);
      else {
        expect(output.text).toMatch(text);
        if (!text.source.startsWith("Removing")) expect(output.text).toContain("[exit code 2]");
      }
      for (const [path, content] of Object.entries(files)) {
        if (content === null) expect(await fs.exists(path)).toBe(false);
        else expect(new TextDecoder().decode(await fs.readFileBytes(path))).toBe(content);
      }
    });
  });

  it("stops at what unpacks to more than the shell holds", async () => {
    const bomb = gzipSync(await packTar([file("first.txt"), file("zeros", "\0".repeat(40 * 1024 * 1024))]));
    await withTools({ "/a.tgz": bomb }, async ({ call, fs }) => {
      const { text } = await call("bash", { command: "tar xzf a.tgz" });
      expect(text).toMatch(/The archive unpacks to more than 33554432 bytes/);
      expect(await fs.exists("/first.txt")).toBe(true);
      expect(await fs.exists("/zeros")).toBe(false);
    });
  });

  it("tells of an archive that is cut off or damaged anywhere, and of nothing else", async () => {
    const whole = await packTar([file("a.txt"), file("b.txt", "b".repeat(600))]);
    const packed = gzipSync(whole);
    const cuts = { "a.tar": whole.subarray(0, 1300), "b.tgz": packed.subarray(0, packed.length - 20) };
    const bad = whole.slice();
    bad[1024 + 3] = 0xff;
    const files = { "/a.tar": cuts["a.tar"], "/b.tgz": cuts["b.tgz"], "/c.tar": bad };
    await withTools(files, async ({ call }) => {
      for (const path of Object.keys(files)) {
        const { text } = await call("bash", { command: `tar tf ${path.slice(1)}` });
        expect(text).toMatch(/\ntar: Exiting with failure status due to previous errors\n\[exit code 2\]$/);
      }
    });
  });
});

it("says that it does not read a sparse file, after what is before it", async () => {
  const bytes = await packTar([file("a.txt"), file("sparse")]);
  const header = bytes.subarray(1024, 1536);
  header[156] = "S".charCodeAt(0);
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  await withTools({ "/a.tar": bytes }, async ({ call, fs }) => {
    expect((await call("bash", { command: "tar xf a.tar" })).text).toContain("Members of type 'S' are not read here");
    expect(await fs.exists("/sparse")).toBe(false);
  });
});

it("leaves what it does not read to an executor", () =>
  withTools({ "/a.txz": new Uint8Array([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) }, async ({ call }) => {
    const { text } = await call("bash", { command: "tar xf a.txz" });
    expect(text).toContain("[tar needs an executor");
  }));
