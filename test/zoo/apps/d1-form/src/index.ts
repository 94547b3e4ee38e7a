import { addEntry, like, listEntries } from "./entries";
import { page } from "./page";

interface Env {
  DB: D1Database;
}

const html = (text: string, status = 200) => new Response(text, { status, headers: { "content-type": "text/html;charset=utf-8" } });

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    const route = `${request.method} ${url.pathname}`;
    switch (route) {
      case "GET /":
        return html(page(await listEntries(env.DB)));
      case "POST /sign": {
        const form = await request.formData();
        const name = String(form.get("name") ?? "").trim();
        if (name === "") return html(page(await listEntries(env.DB), "Please give a name."), 400);
        try {
          const id = await addEntry(env.DB, name, String(form.get("message")));
          return Response.redirect(`${url.origin}/#entry-${id}`, 303);
        } catch (error) {
          return html(page(await listEntries(env.DB), (error as Error).message), 422);
        }
      }
      case "POST /like": {
        const id = Number((await request.formData()).get("id"));
        const likes = await like(env.DB, id);
        return likes === null ? html("No such entry", 404) : Response.redirect(`${url.origin}/`, 303);
      }
      case "GET /stats.json": {
        const total = await env.DB.prepare("SELECT count(*) AS n, sum(likes) AS likes, avg(length(message)) AS length FROM entries").first();
        const raw = await env.DB.prepare("SELECT name, likes FROM entries ORDER BY name").raw({ columnNames: true });
        const exec = await env.DB.exec("PRAGMA foreign_keys = on;");
        return Response.json({ total, raw, exec: exec.count });
      }
      default:
        return html("Not found", 404);
    }
  },
} satisfies ExportedHandler<Env>;
