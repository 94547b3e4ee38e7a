/** What an app does with its bindings `KV`, `DB` and `R2`: statements that return something that JSON can hold. */
export interface BindingCase {
  readonly name: string;
  readonly run: string;
}

/** Cases for which a stand-in must answer what miniflare does. Each has storage of its own. */
export const BINDING_CASES: readonly BindingCase[] = [
  {
    name: "KV: a value as text, JSON, bytes and stream",
    run: `await env.KV.put("k", '{"a":1}');
      return [await env.KV.get("k"), await env.KV.get("k", "json"), (await env.KV.get("k", { type: "arrayBuffer" })).byteLength,
        await new Response(await env.KV.get("k", "stream")).text(), await env.KV.get("none"), await env.KV.get("none", "json")];`,
  },
  {
    name: "KV: what can be put",
    run: `const view = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
      await env.KV.put("view", view); await env.KV.put("buffer", view.slice().buffer); await env.KV.put("stream", new Response("text").body);
      await env.KV.put("empty", "");
      return [[...new Uint8Array(await env.KV.get("view", "arrayBuffer"))], (await env.KV.get("buffer", "arrayBuffer")).byteLength,
        await env.KV.get("stream"), await env.KV.get("empty"), await err(() => env.KV.put("o", { a: 1 })), await err(() => env.KV.put("n", null)), await env.KV.get("n"), await err(() => env.KV.put("u", 5)), await env.KV.get("u")];`,
  },
  {
    name: "KV: metadata",
    run: `await env.KV.put("k", "v", { metadata: { a: [1] } }); await env.KV.put("none", "v");
      const strip = ({ value, metadata }) => [value, metadata];
      return [strip(await env.KV.getWithMetadata("k")), strip(await env.KV.getWithMetadata("none")), strip(await env.KV.getWithMetadata("missing")),
        strip(await env.KV.getWithMetadata("k", "arrayBuffer"))[1], (await env.KV.list()).keys,
        await err(() => env.KV.put("k", "v", { metadata: "x".repeat(2000) }))];`,
  },
  {
    name: "KV: keys that are refused, and keys that are not",
    run: `return [await err(() => env.KV.get("")), await err(() => env.KV.put("", "v")), await err(() => env.KV.get(".")),
        await err(() => env.KV.put("..", "v")), await err(() => env.KV.get("k".repeat(513))), await err(() => env.KV.delete("k".repeat(513))),
        await err(() => env.KV.put("ü/%20?#\\n", "v")), await env.KV.get("ü/%20?#\\n"), (await env.KV.list()).keys];`,
  },
  {
    name: "KV: expiry",
    run: `const now = Math.floor(Date.now() / 1000);
      await env.KV.put("k", "v", { expirationTtl: 3600 }); await env.KV.put("at", "v", { expiration: now + 7200 });
      const { keys } = await env.KV.list();
      return [keys.map(({ name, expiration }) => [name, Math.abs(expiration - now - (name === "k" ? 3600 : 7200)) < 5]),
        await err(() => env.KV.put("k", "v", { expirationTtl: 0 })), await err(() => env.KV.put("k", "v", { expirationTtl: 59 })),
        await err(() => env.KV.put("k", "v", { expirationTtl: "abc" })), (await err(() => env.KV.put("k", "v", { expiration: 1 }))).replace(/\\d{6,}/g, "#"),
        (await err(() => env.KV.put("k", "v", { expiration: now + 10 }))).replace(/\\d{6,}/g, "#")];`,
  },
  {
    name: "KV: lists in pages, by prefix, in order",
    run: `for (const key of ["b", "a/2", "a/1", "a/10", "A", "é", "a"]) await env.KV.put(key, "v");
      const pages = []; let cursor;
      do { const page = await env.KV.list({ limit: 3, cursor }); pages.push(page.keys.map(({ name }) => name), page.list_complete); cursor = page.cursor; } while (cursor);
      const prefix = await env.KV.list({ prefix: "a/" });
      return [pages, prefix.keys, prefix.list_complete, "cursor" in prefix, (await env.KV.list({ prefix: "none" })).keys,
        await err(() => env.KV.list({ limit: 0 })), await err(() => env.KV.list({ limit: 1001 })), await err(() => env.KV.list({ limit: -1 }))];`,
  },
  {
    name: "KV: several keys at once, and deletion",
    run: `await env.KV.put("a", '{"x":1}'); await env.KV.put("b", "2", { metadata: 1 });
      const many = await env.KV.get(["a", "b", "c"]); const json = await env.KV.get(["a"], "json"); const meta = await env.KV.getWithMetadata(["b", "c"]);
      await env.KV.delete("a"); await env.KV.delete("never");
      return [[...many], [...json], [...meta].map(([key, value]) => [key, value?.value ?? null, value?.metadata ?? null]), await env.KV.get("a"),
        await err(() => env.KV.get(["a"], "arrayBuffer")), await err(() => env.KV.get(Array.from({ length: 101 }, (_, n) => "k" + n)))];`,
  },
  {
    name: "D1: statements and their meta",
    run: `const meta = ({ meta: { changes, last_row_id, changed_db, rows_written } }) => [changes, last_row_id, changed_db, rows_written];
      const made = await env.DB.prepare("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c BLOB)").run();
      const insert = await env.DB.prepare("INSERT INTO t (a, b, c) VALUES (?, ?, ?), ('y', NULL, NULL)").bind("x", 1.5, new Uint8Array([1, 2]).buffer).run();
      const select = await env.DB.prepare("SELECT * FROM t ORDER BY id").all();
      const update = await env.DB.prepare("UPDATE t SET a = 'z' WHERE id > ?1").bind(0).run();
      const returning = await env.DB.prepare("DELETE FROM t WHERE id = 1 RETURNING id, a").all();
      return [made.success, made.results, meta(insert).slice(0, 3), select.results, select.success, meta(select).slice(0, 3), meta(update).slice(0, 3), returning.results, meta(returning).slice(0, 1)];`,
  },
  {
    name: "D1: first, raw and column names",
    run: `await env.DB.exec("CREATE TABLE t (a, b)"); await env.DB.exec("INSERT INTO t VALUES (1, 'x'), (2, 'y')");
      const all = env.DB.prepare("SELECT a, b, a AS c FROM t ORDER BY a");
      return [await all.first(), await all.first("b"), await err(() => all.first("nothing")), await env.DB.prepare("SELECT * FROM t WHERE a = 9").first(),
        await env.DB.prepare("SELECT * FROM t WHERE a = 9").first("a"), await all.raw(), await all.raw({ columnNames: true }),
        await env.DB.prepare("SELECT * FROM t WHERE 0").raw({ columnNames: true }), await env.DB.prepare("SELECT 1 AS x, 2 AS x").raw()];`,
  },
  {
    name: "D1: types of parameters and of answers",
    run: `const ask = (value) => err(async () => (await env.DB.prepare("SELECT ? AS v, typeof(?1) AS t").bind(value).first()));
      return [await ask(1), await ask(1.5), await ask("s"), await ask(null), await ask(true), await ask(false), await ask(new Uint8Array([1, 255])), await ask([1, 2]),
        await ask(undefined), await ask({ a: 1 }), await ask(10n), await ask(Math.abs), await ask(9007199254740991), await ask(-0.1), await ask(new Date(0))];`,
  },
  {
    name: "D1: errors",
    run: `await env.DB.exec("CREATE TABLE t (a INTEGER PRIMARY KEY, b NOT NULL)"); await env.DB.prepare("INSERT INTO t VALUES (1, 1)").run();
      return [await err(() => env.DB.prepare("SELECT * FROM nowhere").all()), await err(() => env.DB.prepare("SELEC 1").all()),
        await err(() => env.DB.prepare("INSERT INTO t VALUES (1, 2)").run()), await err(() => env.DB.prepare("INSERT INTO t VALUES (2, NULL)").run()),
        await err(() => env.DB.prepare("SELECT ?").all()), await err(() => env.DB.prepare("SELECT 1").bind(1).all()),
        (await err(() => env.DB.exec("SELECT 1;\\nSELEC 2"))).slice(0, 25), await err(() => env.DB.prepare("").all()).then((e) => typeof e)];`,
  },
  {
    name: "D1: a batch is all or nothing",
    run: `await env.DB.exec("CREATE TABLE t (a INTEGER PRIMARY KEY)");
      const insert = env.DB.prepare("INSERT INTO t VALUES (?)");
      const done = await env.DB.batch([insert.bind(1), insert.bind(2), env.DB.prepare("SELECT count(*) AS n FROM t")]);
      const failed = await err(() => env.DB.batch([insert.bind(3), insert.bind(1)]));
      return [done.map(({ results, success }) => [results, success]), failed, await env.DB.prepare("SELECT count(*) AS n FROM t").first("n"), await err(() => env.DB.batch([]))];`,
  },
  {
    name: "D1: exec counts what it runs",
    run: `const one = await env.DB.exec("CREATE TABLE t (a)"); const three = await env.DB.exec("INSERT INTO t VALUES (1);\\nINSERT INTO t VALUES (2);\\nSELECT * FROM t;");
      return [one.count, three.count, (await env.DB.prepare("SELECT a FROM t").all()).results, typeof one.duration];`,
  },
  {
    name: "D1: a session",
    run: `await env.DB.exec("CREATE TABLE t (a)"); const session = env.DB.withSession("first-primary");
      await session.prepare("INSERT INTO t VALUES (7)").run();
      return [(await session.batch([session.prepare("SELECT * FROM t")]))[0].results, await env.DB.prepare("SELECT * FROM t").first("a")];`,
  },
  {
    name: "R2: what is known of an object",
    run: `const put = await env.R2.put("dir/ü.txt", "hello", { httpMetadata: { contentType: "text/plain", cacheControl: "no-store", cacheExpiry: new Date(0) }, customMetadata: { a: "1" } });
      const look = (o) => o && [o.key, o.size, o.etag, o.httpEtag, o.uploaded instanceof Date, o.httpMetadata, o.customMetadata, o.checksums.toJSON(), typeof o.version, o.range];
      const headers = new Headers(); const got = await env.R2.get("dir/ü.txt"); got.writeHttpMetadata(headers);
      return [look(put), look(await env.R2.head("dir/ü.txt")), look(got), [...headers], await got.text(), got.bodyUsed, await env.R2.get("none"), await env.R2.head("none")];`,
  },
  {
    name: "R2: what can be put, and how it is read",
    run: `await env.R2.put("a", new Uint8Array([1, 2]).buffer); await env.R2.put("b", new Uint8Array([0, 1, 2, 3]).subarray(1, 3));
      await env.R2.put("c", new Blob(["blob"])); await env.R2.put("d", null); await env.R2.put("e", ""); await env.R2.put("f", '{"x":1}');
      const bytes = async (key) => [...new Uint8Array(await (await env.R2.get(key)).arrayBuffer())];
      return [await bytes("a"), await bytes("b"), await (await env.R2.get("c")).text(), (await env.R2.head("d")).size, await bytes("e"),
        await (await env.R2.get("f")).json(), (await (await env.R2.get("f")).blob()).size, await new Response((await env.R2.get("f")).body).text(), [...(await (await env.R2.get("a")).bytes())]];`,
  },
  {
    name: "R2: ranges",
    run: `await env.R2.put("k", "0123456789"); const part = async (range) => { const o = await env.R2.get("k", { range }); return [await o.text(), o.range, o.size]; };
      return [await part({ offset: 2 }), await part({ offset: 2, length: 3 }), await part({ length: 3 }), await part({ suffix: 3 }), await part({ offset: 8, length: 100 }), await part({ suffix: 100 }),
        await part(new Headers({ range: "bytes=1-2" })), await part(new Headers({ range: "bytes=7-" })), await part(new Headers({ range: "bytes=-2" })), await err(() => part({ offset: 10 })), await err(() => part({ offset: 99 }))];`,
  },
  {
    name: "R2: conditions",
    run: `const { etag } = await env.R2.put("k", "v"); const get = async (onlyIf) => { const o = await env.R2.get("k", { onlyIf }); return o && "body" in o && o.body !== undefined; };
      const put = async (onlyIf) => (await env.R2.put("k", "v", { onlyIf })) !== null; const past = new Date(0), future = new Date(Date.now() + 1e9);
      return [await get({ etagMatches: etag }), await get({ etagMatches: "x" }), await get({ etagDoesNotMatch: etag }), await get({ etagDoesNotMatch: "x" }),
        await get({ uploadedBefore: past }), await get({ uploadedBefore: future }), await get({ uploadedAfter: past }), await get({ uploadedAfter: future }),
        await get(new Headers({ "if-none-match": '"' + etag + '"' })), await get(new Headers({ "if-match": '"x"' })),
        await put({ etagMatches: etag }), await put({ etagMatches: "x" }), await put({ etagDoesNotMatch: etag }),
        (await env.R2.put("new", "v", { onlyIf: { etagMatches: "x" } })) === null, (await env.R2.put("new", "v", { onlyIf: { etagDoesNotMatch: "*" } })) === null, (await env.R2.put("k", "v", { onlyIf: { etagDoesNotMatch: "*" } })) === null];`,
  },
  {
    name: "R2: checksums",
    run: `const sha256 = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("v"));
      const put = await env.R2.put("k", "v", { sha256 });
      return [put.checksums.toJSON(), await err(() => env.R2.put("k", "other", { sha256 })), await err(() => env.R2.put("k", "v", { md5: "0".repeat(32) })), await (await env.R2.get("k")).text()];`,
  },
  {
    name: "R2: lists with groups, in pages",
    run: `for (const key of ["a/1", "a/2", "b/1", "c", "d", "a"]) await env.R2.put(key, key);
      const look = (l) => [l.objects.map(({ key }) => key), l.delimitedPrefixes, l.truncated];
      const pages = []; let cursor; do { const page = await env.R2.list({ limit: 4, cursor }); pages.push(look(page)); cursor = page.truncated ? page.cursor : undefined; } while (cursor);
      return [look(await env.R2.list()), look(await env.R2.list({ prefix: "a/" })), look(await env.R2.list({ delimiter: "/" })), look(await env.R2.list({ prefix: "a", delimiter: "/" })),
        look(await env.R2.list({ startAfter: "b/1" })), pages];`,
  },
  {
    name: "R2: deletion",
    run: `for (const key of ["a", "b", "c"]) await env.R2.put(key, key); await env.R2.delete("a"); await env.R2.delete(["b", "never"]); await env.R2.delete([]);
      return [(await env.R2.list()).objects.map(({ key }) => key), await env.R2.get("a")];`,
  },
  {
    name: "R2: uploads in parts",
    run: `const MB5 = 5 * 1024 * 1024; const big = "a".repeat(MB5);
      const upload = await env.R2.createMultipartUpload("k", { httpMetadata: { contentType: "text/plain" }, customMetadata: { a: "1" } });
      const first = await upload.uploadPart(1, big); const old = await upload.uploadPart(2, "old"); const second = await upload.uploadPart(2, new Blob(["xyz"]));
      const before = await env.R2.head("k"); const same = env.R2.resumeMultipartUpload("k", upload.uploadId);
      const wrong = [await err(() => same.complete([first, old])), await err(() => same.complete([first, { partNumber: 3, etag: "e" }])), await err(() => same.complete([second, first])), await err(() => same.complete([first, first]))];
      const done = await same.complete([first, second]); const got = await env.R2.get("k", { range: { offset: MB5 - 1 } });
      return [upload.key, typeof upload.uploadId, first.partNumber, before, wrong, done.size, done.etag, done.httpEtag, done.checksums.toJSON(), done.httpMetadata, done.customMetadata, await got.text(), got.etag,
        await err(() => upload.complete([first, second])), await err(() => upload.uploadPart(3, "x")), await err(() => upload.abort())];`,
  },
  {
    name: "R2: uploads in parts that fail",
    run: `const upload = await env.R2.createMultipartUpload("k"); const parts = [await upload.uploadPart(1, "a"), await upload.uploadPart(2, "b")];
      const small = await err(() => upload.complete(parts)); await upload.abort();
      const none = env.R2.resumeMultipartUpload("k", "none"); const other = await env.R2.createMultipartUpload("other"); const empty = await env.R2.createMultipartUpload("empty");
      return [small, await err(() => upload.complete(parts)), await err(() => upload.uploadPart(1, "a")), await err(() => none.uploadPart(1, "x")),
        await err(() => env.R2.resumeMultipartUpload("k", other.uploadId).uploadPart(1, "x")), await err(() => other.uploadPart(0, "x")), await err(() => other.uploadPart(10001, "x")),
        await err(() => other.uploadPart(1, 5)), await err(() => env.R2.createMultipartUpload("k".repeat(1025))), (await env.R2.list()).objects.length];`,
  },
  {
    name: "R2: keys that are refused",
    run: `return [await err(() => env.R2.put("k".repeat(1025), "v")), await err(() => env.R2.get("k".repeat(1025))), await err(() => env.R2.put("k", 5))];`,
  },
];

/** A Worker that runs a case and answers with what it returned. */
export function bindingApp(run: string): string {
  return `const err = async (run) => { try { return await run(); } catch (error) { return error.message; } };
    export default { async fetch(request, env) {
      try { return Response.json((await (async () => { ${run} })()) ?? null); }
      catch (error) { return Response.json({ thrown: error.message }); }
    } };`;
}
