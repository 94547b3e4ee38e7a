import { TenrecError } from "@tenrec/protocol";

/**
 * Where a zip archive is read from: its list of entries is at the end, so a stream will not do. `read` gives a part that
 * lies within; the caller owns it until it reads again.
 */
export interface ZipSource {
  /** In bytes. */
  readonly size: number;
  read(offset: number, length: number): Promise<Uint8Array> | Uint8Array;
}

/** An archive in memory. */
export function bytesSource(bytes: Uint8Array): ZipSource {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

/** A part of an archive. `EIO` when it does not lie within. */
export async function readPart(source: ZipSource, offset: number, length: number): Promise<DataView> {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset + length > source.size) {
    throw brokenZip(`it has no ${length} bytes at ${offset}`);
  }
  const bytes = await source.read(offset, length);
  if (bytes.length !== length) throw brokenZip(`only ${bytes.length} of ${length} bytes at ${offset} could be read`);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

export function brokenZip(reason: string, path = "/"): TenrecError<"EIO"> {
  return new TenrecError("EIO", { path, reason: `the zip archive cannot be read: ${reason}` });
}
