/** Bytes that a device without an end gives to what reads it whole: the longest text that the shell takes, nearly. */
const ENDLESS_BYTES = 4 * 1024 * 1024;
const RANDOM_BYTES = 1024 * 1024;
/** Most that `getRandomValues` fills at once. */
const RANDOM_PIECE = 65_536;

const DEVICES: Readonly<Record<string, () => Uint8Array>> = {
  "/dev/null": () => new Uint8Array(),
  "/dev/zero": () => new Uint8Array(ENDLESS_BYTES),
  "/dev/full": () => new Uint8Array(ENDLESS_BYTES),
  "/dev/random": randomBytes,
  "/dev/urandom": randomBytes,
};

export const DEVICE_PATHS: readonly string[] = Object.keys(DEVICES);

export function isDevice(path: string): boolean {
  return Object.hasOwn(DEVICES, path);
}

/**
 * What reading a device gives; undefined for another path. One that never ends gives a few MiB: commands here read a file
 * whole, and the next one in a pipe takes what it needs.
 */
export function readDevice(path: string): Uint8Array | undefined {
  return Object.hasOwn(DEVICES, path) ? DEVICES[path]?.() : undefined;
}

function randomBytes(): Uint8Array {
  const bytes = new Uint8Array(RANDOM_BYTES);
  for (let at = 0; at < bytes.length; at += RANDOM_PIECE) crypto.getRandomValues(bytes.subarray(at, at + RANDOM_PIECE));
  return bytes;
}
