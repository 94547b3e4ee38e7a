const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  c: 1,
  w: 2,
  b: 512,
  k: 1024,
  K: 1024,
  m: 1024 ** 2,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
  kB: 1000,
  KB: 1000,
  MB: 1e6,
  GB: 1e9,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
};

/** A number with a unit such as `4K`; undefined when it is none. */
export function byteCount(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const scale = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  return digits === undefined || scale === undefined ? undefined : Number(digits) * scale;
}
