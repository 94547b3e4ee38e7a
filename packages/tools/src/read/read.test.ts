import type { FileSystem } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it } from "vitest";
import { MAX_MEDIA_BYTES, MAX_WHOLE_READ, readFileLines } from "./read.ts";
import { withTools } from "../with-tools.ts";

const lines = (count: number, text = (n: number): string => `line ${n}`): string =>
  Array.from({ length: count }, (_, index) => `${text(index + 1)}\n`).join("");

const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]);

const files = {
  "/a.txt": "one\ntwo\n",
  "/no-end.txt": "one\ntwo",
  "/crlf.txt": "\ufeffone\r\ntwo\r\n",
  "/empty.txt": "",
  "/blank.txt": "\n",
  "/many.txt": lines(5321),
  "/wide.txt": lines(900, (n) => `${n} ${"x".repeat(100)}`),
  "/long.txt": `short\n${"é".repeat(5000)}\nend\n`,
  "/latin1.txt": new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]),
  "/x.bin": new Uint8Array([1, 0, 2]),
  "/pic.txt": PNG,
  "/doc.pdf": "%PDF-1.7 ...",
  "/dir/b.txt": "b\n",
  "/link-target.txt": "linked\n",
};

describe("read: what a model sees", () => {
  it.each([
    ["lines with numbers", { path: "a.txt" }, "1\tone\n2\ttwo"],
    ["an absolute path in the workspace", { path: "/workspace/dir/../a.txt" }, "1\tone\n2\ttwo"],
    ["a file without a last newline", { path: "no-end.txt" }, "1\tone\n2\ttwo"],
    ["CRLF and a byte order mark as plain lines", { path: "crlf.txt" }, "1\tone\n2\ttwo"],
    ["that a file is empty", { path: "empty.txt" }, "(empty.txt is empty)"],
    ["one blank line", { path: "blank.txt" }, "1\t"],
    ["from an offset", { path: "many.txt", offset: 5320 }, "5320\tline 5320\n5321\tline 5321"],
    [
      "how to read on after a limit",
      { path: "a.txt", limit: 1 },
      "1\tone\n[lines 1-1 shown, there are more; read on with offset=2]",
    ],
    ["bytes that are not UTF-8 as U+FFFD", { path: "latin1.txt" }, "1\tcaf\ufffd"],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("read", input)).text).toBe(text);
    }),
  );

  it("at most 2,000 lines, and the next offset is right", () =>
    withTools(files, async ({ call }) => {
      const first = (await call("read", { path: "many.txt" })).text.split("\n");
      expect(first).toHaveLength(2001);
      expect(first.at(-1)).toBe("[lines 1-2000 shown, there are more; read on with offset=2001]");
      expect((await call("read", { path: "many.txt", offset: 2001 })).text).toMatch(/^2001\tline 2001\n/);
    }));

  it("at most 50 KiB, in whole lines", () =>
    withTools(files, async ({ call }) => {
      const { text } = await call("read", { path: "wide.txt" });
      expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(50 * 1024);
      const [, last, next] = /\[lines 1-(\d+) shown.*offset=(\d+)\]$/.exec(text) ?? [];
      expect(Number(next)).toBe(Number(last) + 1);
      expect(Number(last)).toBeGreaterThan(400);
    }));

  it("long lines cut, with a note", () =>
    withTools(files, async ({ call }) => {
      const [, long, end, note] = (await call("read", { path: "long.txt" })).text.split("\n");
      expect(long).toBe(`2\t${"é".repeat(2000)}… [3000 more characters]`);
      expect(end).toBe("3\tend");
      expect(note).toBe('[line 2 is cut; unit="bytes" offset=4006 shows the rest]');
    }));

  it.each([
    ["a file by bytes", { path: "a.txt", unit: "bytes" }, "one\ntwo\n\n[bytes 0-7 of 8 shown]"],
    [
      "a part by bytes",
      { path: "a.txt", unit: "bytes", offset: 2, limit: 3 },
      'e\nt\n[bytes 2-4 of 8 shown; read on with unit="bytes" offset=5]',
    ],
    [
      "no half of a character",
      { path: "long.txt", unit: "bytes", offset: 7, limit: 4 },
      'é\n[bytes 8-9 of 10011 shown; read on with unit="bytes" offset=10]',
    ],
    ["an empty file by bytes", { path: "empty.txt", unit: "bytes", offset: 3 }, "(empty.txt is empty)"],
    ["from the first line, for an offset of 0", { path: "a.txt", offset: 0, limit: 9 }, "1\tone\n2\ttwo"],
  ])("%s", (_name, input, text) =>
    withTools(files, async ({ call }) => {
      expect((await call("read", input)).text).toBe(text);
    }),
  );

  it("all of a file by bytes, from answer to answer", () =>
    withTools(files, async ({ call, fs }) => {
      for (const path of ["long.txt", "wide.txt", "many.txt", "crlf.txt"]) {
        let whole = "";
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const { text } = await call("read", { path, unit: "bytes", offset });
          expect(text.length).toBeLessThanOrEqual(50 * 1024);
          expect(text.split("\n").length).toBeLessThanOrEqual(2000);
          const [note = "", next] = /\n\[bytes [^\n]*?(?:offset=(\d+))?\]$/.exec(text) ?? [];
          whole += text.slice(0, text.length - note.length);
          offset = next === undefined ? undefined : Number(next);
        }
        expect(whole).toBe(await fs.readFile(`/${path}`));
      }
    }));

  it("the rest of each long line at the offset that it says", () =>
    withTools({ "/f": `\ufeff${"x".repeat(2500)}\n\n${"é".repeat(2400)}😀${"y".repeat(100)}` }, async ({ call }) => {
      const notes = (await call("read", { path: "f" })).text.match(/offset=\d+/g) ?? [];
      const rests = await Promise.all(
        notes.map(
          async (note) => (await call("read", { path: "f", unit: "bytes", offset: Number(note.slice(7)) })).text,
        ),
      );
      expect(rests.map((rest) => rest.split("\n")[0])).toEqual([
        "x".repeat(500),
        `${"é".repeat(400)}😀${"y".repeat(100)}`,
      ]);
    }));

  it("images and PDFs, told by their content", () =>
    withTools(files, async ({ call }) => {
      const image = await call("read", { path: "pic.txt" });
      expect(image.media).toEqual([{ mediaType: "image/png", data: btoa(String.fromCharCode(...PNG)) }]);
      expect((await call("read", { path: "doc.pdf" })).media?.[0]?.mediaType).toBe("application/pdf");
    }));

  it("an output that was saved", () =>
    withTools(files, async ({ call, saved }) => {
      saved.set("/output/7", lines(3));
      expect((await call("read", { path: "/output/7", offset: 2, limit: 1 })).text).toMatch(/^2\tline 2\n\[lines 2-2/);
    }));

  it("through a link", () =>
    withTools(files, async ({ call, fs }) => {
      await fs.symlink("link-target.txt", "/l");
      expect((await call("read", { path: "l" })).text).toBe("1\tlinked");
    }));
});

describe("read: what it refuses, and what to do instead", () => {
  it.each([
    [
      { path: "none.txt" },
      "No such file or directory: none.txt\nThe nearest folder that exists is the workspace itself, in it with a similar name: long.txt.",
    ],
    [{ path: "dir" }, "Is a directory: dir\nUse ls on dir, or name a file in it."],
    [{ path: "a.txt/b" }, /Not a directory: a.txt/],
    [
      { path: "x.bin" },
      "read failed: x.bin is a binary file of 3 bytes. Look into it with bash: file, strings, or od -c | head.",
    ],
    [{ path: "a.txt", offset: 3 }, "read failed: offset=3 is beyond the end: a.txt has 2 lines."],
    [{ path: "/etc/passwd" }, "Not allowed: /etc/passwd: it is outside /workspace\nUse a path inside /workspace."],
    [{ path: "../a.txt" }, "Not allowed: ../a.txt: it is outside /workspace\nUse a path inside /workspace."],
    [{ path: "/output/9" }, "read failed: there is no saved output /output/9. Run the command again."],
    [{ path: "a\0b" }, /Invalid path or argument for a\\0b: it holds a NUL/],
    [
      { path: "a.txt", offset: -1 },
      /^The arguments of read are not valid: offset: .*Its fields: path, offset, limit, unit\. A call is {"path":"…"}\.\nCorrect/,
    ],
    [{ path: "a.txt", unit: "bytes", offset: 8 }, "read failed: offset=8 is beyond the end: a.txt has 8 bytes."],
    [{ path: "x.bin", unit: "bytes" }, /x\.bin is a binary file of 3 bytes/],
    [{ path: "a.txt", lines: 3 }, /Unrecognized key: "lines"/],
    [{ file: "a.txt" }, /path: expected string/],
  ])("%j", (input, text) =>
    withTools(files, async ({ call }) => {
      const output = await call("read", input);
      expect(output.isError).toBe(true);
      if (typeof text === "string") expect(output.text).toBe(text);
      else expect(output.text).toMatch(text);
    }),
  );

  it("an image that is too large", () =>
    withTools({}, async ({ call, fs }) => {
      const bytes = new Uint8Array(MAX_MEDIA_BYTES + 1);
      bytes.set(PNG);
      await fs.writeFileBytes("/big.png", bytes);
      expect((await call("read", { path: "big.png" })).text).toMatch(/more than the 3670016 that can be shown/);
    }));

  it("lost bytes, never as an empty file", () =>
    withTools(files, async ({ fs, again }) => {
      fs.readRange = (path) => Promise.reject(new TenrecError("EIO", { path, reason: "its content is lost" }));
      const output = await again({ fs }).call("read", { path: "a.txt" });
      expect(output).toMatchObject({ isError: true, data: { code: "EIO" } });
      expect(output.text).toMatch(/^Cannot read a.txt: its content is lost\n/);
    }));
});

describe("read: a file of 50 MB", () => {
  const SIZE = 50 * 1024 * 1024;
  const row = new TextEncoder().encode(`${"0123456789".repeat(7)}\n`);

  /** Rows of one length, made as they are asked for. */
  function hugeFile(ranges: boolean): { fs: Parameters<typeof readFileLines>[0]["fs"]; read: () => number } {
    let read = 0;
    const range = (_path: string, offset: number, length: number): Promise<Uint8Array> => {
      const bytes = Uint8Array.from(
        { length: Math.min(length, SIZE - offset) },
        (_, at) => row[(offset + at) % row.length]!,
      );
      read += bytes.byteLength;
      return Promise.resolve(bytes);
    };
    const stat: FileSystem["stat"] = () => Promise.resolve({ type: "file", size: SIZE, mtime: new Date(0) });
    const readFileBytes = (): Promise<never> => Promise.reject(new Error("loaded whole"));
    return { fs: ranges ? { stat, readFileBytes, readRange: range } : { stat, readFileBytes }, read: () => read };
  }

  it("is read in part", async () => {
    const { fs, read } = hugeFile(true);
    const signal = new AbortController().signal;
    const { text } = await readFileLines({ fs }, { path: "huge.txt", offset: 5000, limit: 2 }, signal);
    expect(text).toMatch(/^5000\t0123/);
    expect(text).toMatch(/read on with offset=5002\]$/);
    expect(read()).toBeLessThan(1024 * 1024);
  });

  it("is read in part from the real store too", () => {
    const bytes = new Uint8Array(SIZE);
    for (let at = 0; at < SIZE; at += row.length) bytes.set(row.subarray(0, Math.min(row.length, SIZE - at)), at);
    return withTools({ "/huge.txt": bytes }, async ({ call, fs }) => {
      fs.readFileBytes = () => Promise.reject(new Error("loaded whole"));
      const { text } = await call("read", { path: "huge.txt", offset: 5000, limit: 2 });
      expect(text).toMatch(/^5000\t0123.*\n5001\t.*\n.*read on with offset=5002\]$/);
    });
  });

  it("is refused where the store cannot read a part", async () => {
    const { fs } = hugeFile(false);
    await expect(readFileLines({ fs }, { path: "huge.txt" }, new AbortController().signal)).rejects.toMatchObject({
      code: "EFBIG",
      data: { size: SIZE, limit: MAX_WHOLE_READ },
    });
  });

  it("stops when it is aborted", async () => {
    const { fs } = hugeFile(true);
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(readFileLines({ fs }, { path: "huge.txt", offset: 500_000 }, signal)).rejects.toThrow("stop");
  });
});
