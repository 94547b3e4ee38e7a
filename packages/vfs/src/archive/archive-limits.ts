import { TenrecError } from "@tenrec/protocol";
import { checkLimit } from "../check-limit.ts";

/** What an import accepts. */
export interface ArchiveLimits {
  /** Default 100,000. More is `ENOSPC`. */
  readonly maxEntries?: number;
  /** Bytes of all files; default 1 GiB. More is `ENOSPC`. */
  readonly maxBytes?: number;
  /** Bytes of one file; default 100 MiB. More is `EFBIG`. */
  readonly maxFileBytes?: number;
  /** How many times its own size an archive may unpack to, beyond its first MiB; default 200. More is `EACCES`. */
  readonly maxRatio?: number;
}

/** Counts entries against limits. */
export interface ArchiveMeter {
  /** Call with a file's size before its content is read; 0 for other entries. */
  add(path: string, size: number): void;
  /** Call with the bytes that came out of a compressed archive so far, and those that went in. */
  unpacked(plain: number, packed: number): void;
}

const FREE_BYTES = 1024 * 1024;

export function createMeter(limits: ArchiveLimits = {}): ArchiveMeter {
  const { maxEntries = 100_000, maxBytes = 1024 ** 3, maxFileBytes = 100 * 1024 ** 2, maxRatio = 200 } = limits;
  for (const [name, limit] of Object.entries({ maxEntries, maxBytes, maxFileBytes, maxRatio })) checkLimit(name, limit);
  let entries = 0;
  let bytes = 0;
  return {
    add(path, size) {
      if (size > maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: maxFileBytes });
      if (++entries > maxEntries) throw new TenrecError("ENOSPC", { used: entries, limit: maxEntries });
      bytes += size;
      if (bytes > maxBytes) throw new TenrecError("ENOSPC", { used: bytes, limit: maxBytes });
    },
    unpacked(plain, packed) {
      if (plain - FREE_BYTES <= packed * maxRatio) return;
      const reason = `the archive unpacks to more than ${maxRatio} times its own ${packed} bytes`;
      throw new TenrecError("EACCES", { path: "/", reason });
    },
  };
}
