import { DurableObject } from "cloudflare:workers";

interface Reminder {
  text: string;
  at: number;
}

/** A list that says what is due, by the alarm of its object. */
export class ReminderList extends DurableObject<Env> {
  async add(text: string, delay: number): Promise<number> {
    const at = Date.now() + delay;
    const id = ((await this.ctx.storage.get<number>("last")) ?? 0) + 1;
    await this.ctx.storage.put({ last: id, [`reminder:${String(id).padStart(3, "0")}`]: { text, at } satisfies Reminder });
    const alarm = await this.ctx.storage.getAlarm();
    if (alarm === null || alarm > at) await this.ctx.storage.setAlarm(at);
    return id;
  }

  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    const waiting = await this.ctx.storage.list<Reminder>({ prefix: "reminder:" });
    const now = Date.now();
    for (const [key, { text, at }] of waiting) {
      if (at > now) continue;
      if (text === "fail once" && !info?.isRetry) {
        await this.note(`failed with ${await this.ctx.storage.getAlarm()}`);
        throw new Error("not this time");
      }
      await this.note(text === "fail once" ? `${text}, then ${info?.retryCount}` : text);
      await this.ctx.storage.delete(key);
      await this.env.TALLY.getByName("all").count(this.ctx.id.name ?? "?");
    }
    const [next] = await this.ctx.storage.list<Reminder>({ prefix: "reminder:", limit: 1 });
    if (next) await this.ctx.storage.setAlarm(new Date(Math.max(next[1].at, now + 50)));
  }

  async note(text: string): Promise<void> {
    await this.ctx.storage.transaction(async (txn) => {
      const done = (await txn.get<string[]>("done")) ?? [];
      await txn.put("done", [...done, text]);
    });
  }

  async state(): Promise<unknown> {
    const waiting = await this.ctx.storage.list<Reminder>({ prefix: "reminder:", reverse: true });
    return {
      name: this.ctx.id.name,
      done: (await this.ctx.storage.get("done")) ?? [],
      waiting: [...waiting.values()].map(({ text }) => text),
      hasAlarm: (await this.ctx.storage.getAlarm()) !== null,
    };
  }

  async cancel(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
  }

  async clear(): Promise<number> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    return (await this.ctx.storage.list()).size;
  }

  async values(): Promise<unknown> {
    const stored = { date: new Date(1e12), map: new Map([["a", new Set([1, 2])]]), bytes: new Uint8Array([1, 2]), big: 2n ** 70n, error: new TypeError("t") };
    await this.ctx.storage.put("values", stored);
    return this.ctx.storage.get("values");
  }

  sql(): unknown {
    const { sql } = this.ctx.storage;
    sql.exec("CREATE TABLE IF NOT EXISTS t (n INTEGER, x REAL, s TEXT, b BLOB); INSERT INTO t VALUES (?, ?, ?, ?);", 1, 0.5, "s", new Uint8Array([9]));
    try {
      this.ctx.storage.transactionSync(() => {
        sql.exec("DELETE FROM t");
        throw new Error("roll back");
      });
    } catch {
      // As it should.
    }
    const cursor = sql.exec("SELECT n, x, s, length(b) AS l FROM t");
    return { columns: cursor.columnNames, rows: cursor.toArray(), read: cursor.rowsRead > 0 };
  }

  explode(): never {
    throw new RangeError("bang");
  }

  override async fetch(request: Request): Promise<Response> {
    return new Response(`${request.method} ${new URL(request.url).pathname}: ${await request.text()}`, { status: 299, statusText: "Done so", headers: { "x-list": this.ctx.id.name ?? "" } });
  }
}
