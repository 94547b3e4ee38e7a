import type { Bucket } from "../bucket.ts";
import type { SqlBinding, SqlLike, SqlValue, StorageLike } from "../sql.ts";

/** What ends the run of a store at a boundary. */
export class Killed extends Error {
  override readonly name = "Killed";
}

export interface KillSwitch {
  /** Called at each moment at which a store can die: before each write, around each commit and each call of the bucket. */
  boundary(name: string): void;
  /** The same where it can wait. */
  asyncBoundary(name: string): Promise<void>;
}

/** Dies at the boundary with this number, counted from 1; from then on everything is refused. */
export class CountingKill implements KillSwitch {
  readonly died: Promise<void>;
  count = 0;
  /** The boundary at which it died. */
  where: string | undefined;
  #at: number;
  #die: () => void = () => {};

  constructor(at: number = Number.POSITIVE_INFINITY) {
    this.#at = at;
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  /** Dies that many boundaries from now; `null` means never. */
  killIn(boundaries: number | null): void {
    this.#at = boundaries === null ? Number.POSITIVE_INFINITY : this.count + boundaries;
  }

  boundary(name: string): void {
    if (this.where === undefined && ++this.count === this.#at) {
      this.where = name;
      this.#die();
    }
    if (this.where !== undefined) throw new Killed(this.where);
  }

  async asyncBoundary(name: string): Promise<void> {
    this.boundary(name);
  }
}

const WRITE = /^\s*(INSERT|UPDATE|DELETE)\b.*?\b(\w*tenrec_\w+|journal)\b/is;

/** A storage in which a run dies. */
export function killableStorage(storage: StorageLike, kill: KillSwitch): StorageLike {
  const sql: SqlLike = {
    exec<T extends Record<string, SqlValue>>(query: string, ...bindings: SqlBinding[]) {
      const write = WRITE.exec(query);
      if (write) kill.boundary(`${write[1]} ${write[2]}`);
      return storage.sql.exec<T>(query, ...bindings);
    },
  };
  return {
    sql,
    transactionSync(fn) {
      const result = storage.transactionSync(() => {
        const done = fn();
        kill.boundary("before a commit");
        return done;
      });
      kill.boundary("after a commit");
      return result;
    },
  };
}

/** A bucket in which a run dies, before a call takes effect or before its answer comes. */
export function killableBucket(bucket: Bucket, kill: KillSwitch): Bucket {
  const around = async <T>(name: string, call: () => Promise<T>): Promise<T> => {
    await kill.asyncBoundary(`before ${name}`);
    const answer = await call();
    await kill.asyncBoundary(`after ${name}`);
    return answer;
  };
  const upload = (made: ReturnType<Bucket["resumeMultipartUpload"]>): typeof made => ({
    uploadId: made.uploadId,
    uploadPart: (number, value) => around("uploadPart", () => made.uploadPart(number, value)),
    complete: (parts) => around("complete", () => made.complete(parts)),
    abort: () => around("abort", () => made.abort()),
  });
  return {
    get: (key, options) => around("get", () => bucket.get(key, options)),
    put: (key, value) => around("put", () => bucket.put(key, value)),
    createMultipartUpload: (key) => around("create", async () => upload(await bucket.createMultipartUpload(key))),
    resumeMultipartUpload: (key, id) => upload(bucket.resumeMultipartUpload(key, id)),
    delete: (keys) => around("delete", () => bucket.delete(keys)),
  };
}
