import { describe, expect, it } from "vitest";
import { packEntries, type TarEntry } from "../with-registry.ts";
import { unpackTarball } from "./unpack.ts";

const { signal } = new AbortController();

async function unpack(entries: readonly TarEntry[]): Promise<Record<string, string>> {
  const files = await unpackTarball("x@1.0.0", await packEntries(entries), signal);
  return Object.fromEntries([...files].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));
}

describe("unpackTarball", () => {
  it("gives what code can ask for, without the first folder", async () => {
    const names = [
      "package.json",
      "index.js",
      "lib/a.mjs",
      "bin/run",
      "a.css",
      "a.d.ts",
      "a.js.map",
      "README.md",
      "a.wasm",
    ];
    const files = await unpack(names.map((name) => ({ name: `any name/${name}`, content: name })));
    expect(Object.keys(files)).toEqual(["package.json", "index.js", "lib/a.mjs", "bin/run", "a.css", "a.wasm"]);
    expect(files["lib/a.mjs"]).toBe("lib/a.mjs");
  });

  it("passes over links", async () => {
    const files = await unpack([
      { name: "package/etc.js", type: "symlink", linkname: "/etc/passwd" },
      { name: "package/hard.js", type: "link", linkname: "../../outside" },
      { name: "package/lib", type: "directory" },
      { name: "package/index.js", content: "1" },
    ]);
    expect(files).toEqual({ "index.js": "1" });
  });

  it.each(["package/../../evil.js", "/etc/passwd", "..\\evil.js", "package/..", "../package/evil.js"])(
    "refuses a file at %s",
    async (name) => {
      const unpacking = unpack([
        { name: "package/index.js", content: "1" },
        { name, content: "2" },
      ]);
      await expect(unpacking).rejects.toMatchObject({
        code: "package-damaged",
        message: expect.stringContaining(name),
      });
    },
  );

  it("refuses a path without an end, in words that have one", async () => {
    const error: unknown = await unpack([{ name: `package/${"../".repeat(500_000)}a.js` }]).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "package-damaged" });
    expect((error as Error).message.length).toBeLessThan(300);
  });

  it("refuses more than fits into memory, before it is read", async () => {
    const content = new Uint8Array(5_000_000);
    const entries = Array.from({ length: 12 }, (_, index) => ({ name: `package/${index}.js`, content }));
    await expect(unpack(entries)).rejects.toMatchObject({ code: "package-too-large" });
  });

  it("refuses a header that promises more than it may", async () => {
    const tar = new Uint8Array(
      await new Response(gunzip(await packEntries([{ name: "package/a.d.ts", content: "1" }]))).arrayBuffer(),
    );
    tar.set(new TextEncoder().encode("77777777777\0"), 124);
    checksum(tar);
    const packed = new Uint8Array(
      await new Response(new Blob([tar]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
    await expect(unpackTarball("x@1.0.0", packed, signal)).rejects.toMatchObject({ code: "package-too-large" });
  });

  it("refuses more entries than a package has", async () => {
    const tar = new Uint8Array(await new Response(gunzip(await packEntries([{ name: "package/a" }]))).arrayBuffer());
    const header = tar.slice(0, 512);
    const many = new Uint8Array(512 * 50_002 + 1024);
    for (let at = 0; at < 50_002; at += 1) many.set(header, at * 512);
    const packed = new Uint8Array(
      await new Response(new Blob([many]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
    await expect(unpackTarball("x@1.0.0", packed, signal)).rejects.toMatchObject({ code: "package-too-large" });
  });

  it.each([
    ["no gzip", async () => new Uint8Array(new TextEncoder().encode("<html>not found</html>"))],
    [
      "a tarball that was cut off",
      async () => (await packEntries([{ name: "package/a.js", content: noise(5000) }])).slice(0, 900),
    ],
    ["nothing", async () => new Uint8Array()],
  ])("refuses %s", async (_, make) => {
    await expect(unpackTarball("x@1.0.0", await make(), signal)).rejects.toMatchObject({ code: "package-damaged" });
  });

  it("ends with the signal", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    const packed = await packEntries([{ name: "package/a.js", content: noise(5000) }]);
    await expect(unpackTarball("x@1.0.0", packed, aborted)).rejects.toThrow("enough");
  });
});

function gunzip(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
}

function noise(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

function checksum(header: Uint8Array): void {
  header.fill(32, 148, 156);
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
}
