import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitFetch } from "./git-options.ts";

/** An object as a test makes it, which git itself might refuse to. */
export interface FakeObject {
  readonly type: 1 | 2 | 3 | 4 | 6 | 7;
  readonly bytes: Uint8Array;
  readonly oid: string;
  /** What a delta stands on: bytes between the header and the content. */
  readonly base?: Uint8Array;
  /** The size that the pack claims, when that is not the truth. */
  readonly claims?: number;
}

const NAMES = { 1: "commit", 2: "tree", 3: "blob", 4: "tag", 6: "delta", 7: "delta" } as const;

export function fakeObject(type: 1 | 2 | 3 | 4, content: string | Uint8Array): FakeObject {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const oid = createHash("sha1").update(`${NAMES[type]} ${bytes.length}\0`).update(bytes).digest("hex");
  return { type, bytes, oid };
}

/** Entries in the order given, with whatever names. */
export function fakeTree(
  entries: readonly (readonly [mode: string, name: string | Uint8Array, object: FakeObject])[],
): FakeObject {
  const pieces = entries.flatMap(([mode, name, { oid }]) => [
    Buffer.from(`${mode} `),
    Buffer.from(name as string),
    Buffer.from([0]),
    Buffer.from(oid, "hex"),
  ]);
  return fakeObject(2, new Uint8Array(Buffer.concat(pieces)));
}

export function fakeCommit(tree: FakeObject): FakeObject {
  const who = "Mallory <mallory@example.com> 1700000000 +0000";
  return fakeObject(1, `tree ${tree.oid}\nauthor ${who}\ncommitter ${who}\n\nhostile\n`);
}

export function fakePack(objects: readonly FakeObject[]): Uint8Array {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const pieces: Buffer[] = [header];
  for (const { type, bytes, base, claims } of objects) {
    let size = claims ?? bytes.length;
    const head = [(type << 4) | (size % 16)];
    size = Math.floor(size / 16);
    while (size > 0) {
      head[head.length - 1] = (head.at(-1) ?? 0) | 128;
      head.push(size % 128);
      size = Math.floor(size / 128);
    }
    pieces.push(Buffer.from(head), Buffer.from(base ?? []), deflateSync(bytes));
  }
  return sealPack(Buffer.concat(pieces));
}

/** With the checksum behind it that a pack has. */
export function sealPack(body: Buffer): Uint8Array {
  return new Uint8Array(Buffer.concat([body, createHash("sha1").update(body).digest()]));
}

export function pktLine(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

/** A pack in pieces of the side band, as a server sends it. */
export function sideBand(pack: Uint8Array): Buffer {
  const lines = [pktLine("NAK\n")];
  for (let at = 0; at < pack.length; at += 60_000) {
    lines.push(pktLine(Buffer.concat([Buffer.from([1]), pack.subarray(at, at + 60_000)])));
  }
  return Buffer.concat([...lines, Buffer.from("0000")]);
}

export interface FakeServerOptions {
  readonly refs: Readonly<Record<string, string>>;
  readonly pack?: Uint8Array;
  readonly symref?: string;
  /** Instead of the answer with the pack. */
  readonly answer?: () => Response;
}

/** A server of one repository, as a `fetch`. */
export function fakeServer({ refs, pack, symref = "refs/heads/main", answer }: FakeServerOptions): GitFetch {
  return async (url) => {
    if (url.includes("/info/refs?")) {
      const capabilities = `side-band-64k ofs-delta shallow multi_ack_detailed no-done symref=HEAD:${symref}`;
      const lines = Object.entries(refs).map(([name, oid], index) =>
        pktLine(`${oid} ${name}${index === 0 ? `\0${capabilities}` : ""}\n`),
      );
      const body = Buffer.concat([
        pktLine("# service=git-upload-pack\n"),
        Buffer.from("0000"),
        ...lines,
        Buffer.from("0000"),
      ]);
      return new Response(body, { headers: { "content-type": "application/x-git-upload-pack-advertisement" } });
    }
    return answer?.() ?? new Response(sideBand(pack ?? new Uint8Array()));
  };
}

/** A server whose `main` is one commit of this tree; every other object that is needed is given. */
export function serverOfTree(tree: FakeObject, objects: readonly FakeObject[]): GitFetch {
  const commit = fakeCommit(tree);
  const refs = { HEAD: commit.oid, "refs/heads/main": commit.oid };
  return fakeServer({ refs, pack: fakePack([commit, tree, ...objects]) });
}
