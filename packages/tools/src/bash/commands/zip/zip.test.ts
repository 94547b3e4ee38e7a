import { zipSync, type Zippable } from "fflate";
import { describe, expect, it } from "vitest";
import { withTools } from "../../../with-tools.ts";

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const link = (target: string): Zippable[string] => [text(target), { os: 3, attrs: (0o120777 << 16) >>> 0 }];

describe("unzip: archives that were made to do harm", () => {
  it.each<[what: string, entries: Zippable, said: RegExp, files: Record<string, string | null>]>([
    [
      "names above the folder",
      { "../keep.txt": text("new"), "a/../../b.txt": text("b") },
      /skipped "\.\.\/" path component\(s\) in \.\.\/keep\.txt[^]*\[exit code 1\]/,
      { "/keep.txt": "old", "/in/keep.txt": "new", "/in/a/b.txt": "b" },
    ],
    [
      "an absolute name",
      { "/workspace/keep.txt": text("new") },
      /stripped absolute path spec from \/workspace\/keep\.txt/,
      { "/keep.txt": "old", "/in/workspace/keep.txt": "new" },
    ],
    [
      "a link out of the folder, and a file through it",
      { out: link(".."), "out/keep.txt": text("new") },
      /cannot create symlink/,
      { "/keep.txt": "old", "/in/out/keep.txt": "new" },
    ],
    [
      "a file over a link that is there",
      { there: text("new") },
      /inflating|extracting/,
      { "/keep.txt": "old", "/in/there": "new" },
    ],
    ["a name without end", { [`${"a/".repeat(600)}b`]: text("b") }, /a name in the archive is too long/, {}],
  ])("%s", async (_what, entries, said, files) => {
    await withTools({ "/a.zip": zipSync(entries), "/keep.txt": "old" }, async ({ call, fs }) => {
      await fs.mkdir("/in");
      await fs.symlink("../keep.txt", "/in/there");
      expect((await call("bash", { command: "unzip -o a.zip -d in" })).text).toMatch(said);
      for (const [path, content] of Object.entries(files))
        expect(new TextDecoder().decode(await fs.readFileBytes(path))).toBe(content);
    });
  });

  it("stops at what unpacks to more than the shell holds, and at more than it says", async () => {
    const bomb = zipSync({ zeros: new Uint8Array(40 * 1024 * 1024) });
    const liar = zipSync({ zeros: new Uint8Array(1024 * 1024) });
    // The size, in the list at the end.
    const list = liar.length - 22 - 46 - "zeros".length;
    new DataView(liar.buffer, liar.byteOffset).setUint32(list + 24, 10, true);
    await withTools({ "/a.zip": bomb, "/b.zip": liar }, async ({ call, fs }) => {
      const limit = await call("bash", { command: "unzip a.zip" });
      expect(limit.text).toContain("unpacks to 41943040 bytes, the limit of this shell is 33554432");
      const lie = await call("bash", { command: "unzip b.zip" });
      expect(lie.text).toContain("zeros: more bytes than it says");
      expect(await fs.exists("/zeros")).toBe(false);
    });
  });

  it("holds content to its checksum", async () => {
    const bytes = zipSync({ "a.txt": text("good") }, { level: 0 });
    bytes[30 + "a.txt".length] = 0x66;
    await withTools({ "/a.zip": bytes }, async ({ call, fs }) => {
      expect((await call("bash", { command: "unzip a.zip" })).text).toMatch(/a\.txt: bad CRC\n\[exit code 2\]$/);
      expect(await fs.exists("/a.txt")).toBe(false);
    });
  });

  it("survives damage at every byte", async () => {
    const whole = zipSync({ "a.txt": text("a"), "b.txt": text("b".repeat(100)) });
    const files = Object.fromEntries(
      Array.from(whole, (byte, at) => {
        const copy = whole.slice();
        copy[at] = byte ^ 0xff;
        return [`/${at}.zip`, copy];
      }),
    );
    await withTools(files, async ({ call }) => {
      const command = 'for f in *.zip; do unzip -qt $f >/dev/null 2>&1; echo $?; done | sort -nu | tr "\\n" " "';
      const codes = (await call("bash", { command })).text.trim().split(" ");
      expect(["0", "2", "3", "9"]).toEqual(expect.arrayContaining(codes));
      expect(codes).toContain("2");
    });
  });
});

describe("zip", () => {
  it("keeps what an archive has, and refuses to add to what is none", () =>
    withTools({ "/a.txt": "a", "/b.txt": "b", "/no.zip": "no archive" }, async ({ call }) => {
      const { text: said } = await call("bash", {
        command: "zip x a.txt; zip x a.txt b.txt; unzip -p x.zip; zip no.zip a.txt",
      });
      expect(said).toMatch(/adding: a\.txt\nupdating: a\.txt\n {2}adding: b\.txt\nab/);
      expect(said).toMatch(/Zip file structure invalid \(no\.zip\)\n\[exit code 3\]$/);
    }));

  it("leaves what it does not know to an executor", () =>
    withTools({}, async ({ call }) => {
      expect((await call("bash", { command: "zip -e a.zip a.txt" })).text).toContain("[zip needs an executor");
    }));
});
