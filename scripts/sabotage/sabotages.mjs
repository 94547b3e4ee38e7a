/**
 * Ways to break what keeps trees safe: a file of packages/vfs/src, and texts that are replaced in it. The crash tests
 * must notice each of them.
 */
export const sabotages = [
  {
    name: "a key is not on record before its upload",
    file: "spill.ts",
    edits: [
      [
        `storage.sql.exec("INSERT INTO tenrec_bucket_keys (key, state, changed_at) VALUES (?, 'pending', ?)", key, now());`,
        "",
      ],
    ],
  },
  {
    name: "rows and object change places in several transactions",
    file: "spill.ts",
    edits: [
      [
        "  return storage.transactionSync(() => {\n    // Whoever gave up",
        "  return ((fn) => fn())(() => {\n    // Whoever gave up",
      ],
    ],
  },
  {
    name: "the rows go although the bucket stored less",
    file: "spill.ts",
    edits: [["if (size === file.size) return;", "if (size > 0) return;"]],
  },
  {
    name: "a failed upload is deleted at once",
    file: "spill.ts",
    edits: [["SET changed_at = ? WHERE key = ?", "SET changed_at = ?, state = 'condemned' WHERE key = ?"]],
  },
  {
    name: "a multipart upload is never aborted",
    file: "spill.ts",
    edits: [["if (upload !== null) await abortQuietly(bucket, key, upload);", ""]],
  },
  {
    name: "a record is deleted before its object",
    file: "spill.ts",
    edits: [
      [
        "    await request(bucket, first.key, () => bucket.bucket.delete(keys));",
        `    sql.exec("DELETE FROM tenrec_bucket_keys WHERE state = 'condemned'");\n    await request(bucket, first.key, () => bucket.bucket.delete(keys));`,
      ],
    ],
  },
  {
    name: "an object is condemned without its content going, in one transaction",
    file: "blobs.ts",
    edits: [
      [
        "  sql.exec(`DELETE FROM tenrec_blobs WHERE ${OF_HASH}`, hash);\n}\n\nexport function missing",
        "}\n\nexport function missing",
      ],
    ],
  },
  {
    name: "the object of a replaced content is forgotten",
    file: "blobs.ts",
    edits: [["${OF_HASH} AND key IS NOT NULL`", "${OF_HASH} AND key = 'none'`"]],
  },
  {
    name: "missing rows read as nothing",
    file: "blobs.ts",
    edits: [
      [
        "  if (bytes === undefined || length !== size) throw missing(path, hash);\n  return bytes;",
        "  return bytes ?? new Uint8Array(0);",
      ],
    ],
  },
  {
    name: "what the bucket gives is not checked",
    file: "content.ts",
    edits: [["if (sha256(bytes) !== file.hash) throw different(path, file);", ""]],
  },
  {
    name: "a missing object reads as nothing",
    file: "content.ts",
    edits: [
      [
        "  if (object) return object;",
        '  return object ?? { body: new Response("").body, arrayBuffer: async () => new ArrayBuffer(0) };',
      ],
      ["if (bytes.length !== range.length) throw missing(path, file.hash);", ""],
      ["if (sha256(bytes) !== file.hash) throw different(path, file);", ""],
    ],
  },
  { name: "overlays pin no tree", file: "pins.ts", edits: [["trees.push(state.tree);", ""]] },
  {
    name: "overlays pin no contents",
    file: "pins.ts",
    edits: [["for (const hash of state.stored) contents.add(hash);", ""]],
  },
  {
    name: "a spool is not pinned",
    file: "spool.ts",
    edits: [["host.pins.holdContent(this.#id)", 'host.pins.holdContent("")']],
  },
  {
    name: "a sweep judges by the trees of its beginning",
    file: "sweep.ts",
    edits: [["    for (const root of rootsOf(host, kept)) for (const _ of markTree(storage.sql, marks, root));\n", ""]],
  },
  {
    name: "nodes go in several transactions",
    file: "sweep.ts",
    edits: [
      ["  storage.transactionSync(() => {\n    markNew();", "  ((fn) => fn())(() => {\n    markNew();"],
      ["const ROWS_PER_PAGE = 500;", "const ROWS_PER_PAGE = 1;"],
    ],
  },
  {
    name: "nodes written during a sweep are not known to it",
    file: "node-store.ts",
    edits: [["this.#written?.add(hash);", ""]],
  },
  {
    name: "a tree that is missing counts as marked",
    file: "mark.ts",
    edits: [["marks.nodes.delete(hash);", ""]],
  },
  {
    name: "a received tree does not hold what was there",
    file: "receive-tree.ts",
    edits: [["using _nodes = parts.pins.hold(present);", ""]],
  },
  {
    name: "a received tree is there before it is whole",
    file: "receive-tree.ts",
    edits: [["        received.push(node);\n", "        received.push(node);\n        parts.nodes.insert(node);\n"]],
  },
  {
    name: "a commit is several transactions",
    file: "commit.ts",
    edits: [
      [
        "  return storage.transactionSync(() => {\n    const at = now();",
        "  return ((fn) => fn())(() => {\n    const at = now();",
      ],
    ],
  },
  {
    name: "the parts of a content are stored one by one",
    file: "write-blobs.ts",
    edits: [["else storage.transactionSync(() => writeBlob", "else ((run: () => void) => run())(() => writeBlob"]],
  },
  {
    name: "a full storage has no type when a transaction ends",
    file: "typed-storage.ts",
    edits: [["throw error instanceof TenrecError ? error : (limitError(error, sql, []) ?? error);", "throw error;"]],
  },
];
