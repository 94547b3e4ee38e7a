interface Constants {
  readonly k: Uint32Array;
  readonly start: Uint32Array;
}

// Every app loads this module, and few have an object to name.
let constants: Constants | undefined;

/** SHA-256 as hex, for ids that are made where nothing can be awaited. */
export function sha256Sync(text: string): string {
  const { k, start } = (constants ??= makeConstants());
  const state = Uint32Array.from(start);
  const blocks = padded(new TextEncoder().encode(text));
  for (let at = 0; at < blocks.byteLength; at += 64) compress(state, new DataView(blocks.buffer, at, 64), k);
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

function makeConstants(): Constants {
  const primes = firstPrimes(64);
  return {
    k: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}

function compress(state: Uint32Array, block: DataView, k: Uint32Array): void {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i += 1) w[i] = block.getUint32(i * 4);
  for (let i = 16; i < 64; i += 1) {
    const [a, b] = [word(w, i - 15), word(w, i - 2)];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = word(w, i - 16) + s0 + word(w, i - 7) + s1;
  }
  const v = Uint32Array.from(state);
  for (let i = 0; i < 64; i += 1) {
    const [a, b, c, e, f, g] = [word(v, 0), word(v, 1), word(v, 2), word(v, 4), word(v, 5), word(v, 6)];
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = word(v, 7) + s1 + ((e & f) ^ (~e & g)) + word(k, i) + word(w, i);
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    v.copyWithin(1, 0, 7);
    v[4] = word(v, 4) + first;
    v[0] = first + s0 + ((a & b) ^ (a & c) ^ (b & c));
  }
  for (let i = 0; i < 8; i += 1) state[i] = word(state, i) + word(v, i);
}

function word(array: Uint32Array, index: number): number {
  return array[index] ?? 0;
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  blocks.set(bytes);
  blocks[bytes.length] = 0x80;
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, BigInt(bytes.length) * 8n);
  return blocks;
}

function fraction(value: number): number {
  return Math.floor((value - Math.floor(value)) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
