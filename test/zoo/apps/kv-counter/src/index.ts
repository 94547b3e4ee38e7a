interface Env {
  VISITS: KVNamespace;
  GREETING: string;
  ADMIN_TOKEN: string;
}

interface Visit {
  at: string;
  agent: string;
}

async function count(kv: KVNamespace, page: string): Promise<number> {
  const key = `count:${page}`;
  const visits = Number((await kv.get(key)) ?? 0) + 1;
  await kv.put(key, String(visits), { metadata: { page, even: visits % 2 === 0 } satisfies Record<string, unknown> });
  return visits;
}

async function admin(request: Request, env: Env): Promise<Response> {
  if (request.headers.get("x-token") !== env.ADMIN_TOKEN) return new Response("Forbidden", { status: 403 });
  if (request.method === "DELETE") {
    const { keys } = await env.VISITS.list();
    await Promise.all(keys.map(({ name }) => env.VISITS.delete(name)));
    return Response.json({ deleted: keys.length });
  }
  const pages = await env.VISITS.list<{ page: string; even: boolean }>({ prefix: "count:" });
  return Response.json(pages.keys.map(({ name, metadata }) => ({ name, ...metadata })));
}

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/admin") return admin(request, env);
    if (pathname === "/last") {
      const last = await env.VISITS.getWithMetadata<Visit, { version: number }>("last", "json");
      return Response.json({ agent: last.value?.agent, version: last.metadata?.version ?? null });
    }
    if (pathname === "/blob") {
      if (request.method === "PUT") {
        await env.VISITS.put("blob", request.body ?? "", { expirationTtl: 3600 });
        return new Response("stored\n", { status: 201 });
      }
      const blob = await env.VISITS.get("blob", "stream");
      return blob ? new Response(blob, { headers: { "content-type": "application/octet-stream" } }) : new Response(null, { status: 404 });
    }
    const visits = await count(env.VISITS, pathname);
    const last: Visit = { at: new Date().toISOString(), agent: request.headers.get("user-agent") ?? "nobody" };
    ctx.waitUntil(env.VISITS.put("last", JSON.stringify(last), { metadata: { version: 1 } }));
    return new Response(`${env.GREETING}, visitor ${visits} of ${pathname}!`);
  },
};
