export { ReminderList } from "./reminder-list";
export { Tally } from "./tally";

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    const [, name = "", action = ""] = url.pathname.split("/");
    const list = env.LISTS.getByName(name);
    switch (`${request.method} ${action}`) {
      case "POST add":
        return Response.json({ id: await list.add(await request.text(), Number(url.searchParams.get("in") ?? 0)) }, { status: 201 });
      case "GET state":
        return Response.json(await list.state());
      case "POST cancel":
        await list.cancel();
        return new Response(null, { status: 204 });
      case "POST clear":
        return Response.json(await list.clear());
      case "GET values": {
        const values = (await list.values()) as { date: Date; map: Map<string, Set<number>>; bytes: Uint8Array; big: bigint; error: Error };
        return Response.json([values.date, [...values.map.get("a")!], [...values.bytes], `${values.big}`, values.error.message, values.error instanceof Error]);
      }
      case "GET sql":
        return Response.json(await list.sql());
      case "GET tally":
        return Response.json([await env.TALLY.getByName("all").total(), (await env.TALLY.getByName("all").memory) > 0]);
      case "GET ids": {
        const id = env.LISTS.newUniqueId();
        const again = env.LISTS.idFromString(id.toString());
        const wrong = await (async () => env.LISTS.idFromString("nonsense"))().catch((error: Error) => error.name);
        return Response.json([id.equals(again), env.LISTS.idFromName(name).equals(list.id), id.name ?? null, list.name, wrong, await env.LISTS.get(id).add("x", 1e6)]);
      }
      case "GET explode": {
        const error = await list.explode().catch((reason: Error) => reason);
        return Response.json({ name: error.name, message: error.message });
      }
      default:
        return list.fetch(request);
    }
  },
} satisfies ExportedHandler<Env>;
