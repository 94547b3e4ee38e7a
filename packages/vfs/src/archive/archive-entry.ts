import { TenrecError } from "@tenrec/protocol";

interface Common {
  /** A tree path such as "/src/a.ts". */
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

/** One path on its way into a tree or out of it. `bytes` belong to who receives them. */
export type ArchiveEntry =
  | (Common & { readonly kind: "file"; readonly bytes: Uint8Array })
  | (Common & { readonly kind: "symlink"; readonly target: string })
  | (Common & { readonly kind: "directory" });

/** What an import accepts. */
export interface ArchiveLimits {
  /** Default 100,000. More is `ENOSPC`. */
  readonly maxEntries?: number;
  /** Bytes of all files; default 1 GiB. More is `ENOSPC`. */
  readonly maxBytes?: number;
  /** Bytes of one file; default 100 MiB. More is `EFBIG`. */
  readonly maxFileBytes?: number;
}

/** Counts entries against limits. */
export interface ArchiveMeter {
  /** Call with a file's size before its content is read; 0 for other entries. */
  add(path: string, size: number): void;
}

export function createMeter(limits: ArchiveLimits = {}): ArchiveMeter {
  const { maxEntries = 100_000, maxBytes = 1024 ** 3, maxFileBytes = 100 * 1024 ** 2 } = limits;
  let entries = 0;
  let bytes = 0;
  return {
    add(path, size) {
      if (size > maxFileBytes) throw new TenrecError("EFBIG", { path, size, limit: maxFileBytes });
      if (++entries > maxEntries) throw new TenrecError("ENOSPC", { used: entries, limit: maxEntries });
      bytes += size;
      if (bytes > maxBytes) throw new TenrecError("ENOSPC", { used: bytes, limit: maxBytes });
    },
  };
}
