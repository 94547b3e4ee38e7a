import fc from "fast-check";
import { TenrecError } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { TreeStore } from "../tree-store.ts";
import { withStorage } from "../with-store.ts";
import { importEntries } from "./import-entries.ts";
import { packZip } from "./pack-zip.ts";
import { packTarGz } from "./tar-gz.ts";
import { packTar } from "./tar.ts";
import { unpackArchive } from "./unpack-archive.ts";
import { bytesOfStream, directory, file, link, streamOf } from "./with-entries.ts";

const entries = [
  directory("/d", 0o700),
  file("/d/text", "some text\n".repeat(90)),
  file(
    "/d/noise",
    new Uint8Array(3000).map((_, index) => (index * 7919) % 251),
  ),
  link("/l", "d/text"),
  file(`/${"n".repeat(120)}`, "a long name"),
  file(
    "/large",
    new Uint8Array(1_200_000).map((_, index) => index % 241),
  ),
];

const damage = fc.record({
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  // Near the ends is where the structure is.
  flips: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      end: fc.boolean(),
      near: fc.boolean(),
      bit: fc.nat(7),
    }),
    { maxLength: 6 },
  ),
  chunk: fc.constantFrom(1000, 70_000),
});

test.each([
  ["tar", packTar],
  ["tar.gz", packTarGz],
  ["zip", packZip],
])(
  "a damaged %s is read or is a typed error, and then nothing of it",
  async (_, pack) => {
    const whole = await bytesOfStream(pack(entries));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(damage, ({ cut, flips, chunk }) =>
        withStorage(async (storage) => {
          const bytes = whole.slice(0, cut === null ? whole.length : Math.floor(cut * whole.length));
          for (const { at, end, near, bit } of flips) {
            const span = near ? Math.min(bytes.length, 1500) : bytes.length;
            const index = Math.floor(at * (span - 1));
            const place = end ? bytes.length - 1 - index : index;
            if (bytes.length > 0) bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
          }
          const store = new TreeStore(storage);
          const overlay = store.overlay(store.emptyTree);
          await overlay.writeFile("/there", "before");
          const before = overlay.changes();
          const options = { maxBytes: 4_000_000, maxRatio: 5000 };
          try {
            await importEntries(overlay, unpackArchive(streamOf(bytes, chunk), options), options);
          } catch (error) {
            refused++;
            expect(error).toBeInstanceOf(TenrecError);
            expect((error as TenrecError).code).not.toBe("internal");
            expect(overlay.changes()).toEqual(before);
          }
        }),
      ),
      { numRuns: 80 },
    );
    // The damage is not always harmless.
    expect(refused).toBeGreaterThan(25);
  },
  60_000,
);

test.each([[0], [1], [2]])("noise behind the first bytes of a format, %i", async (seed) => {
  const starts = [
    [0x1f, 0x8b, 8, 0],
    [0x50, 0x4b, 3, 4],
    [0x50, 0x4b, 5, 6],
    [0x1f, 0x8b],
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 3000 }), async (start, noise) => {
      const read = async (): Promise<void> => {
        for await (const _ of unpackArchive(streamOf(Uint8Array.of(...start, ...noise))));
      };
      await expect(read()).rejects.toBeInstanceOf(TenrecError);
    }),
    { numRuns: 60, seed },
  );
});
