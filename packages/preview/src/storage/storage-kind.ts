/** Which binding a storage stands behind. */
export type StorageKind = "kv" | "d1" | "r2";
