export { ChatRoom } from "./chat-room";

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    const [, name, action] = /^\/rooms\/([^/]+)\/(\w+)$/.exec(url.pathname) ?? [];
    if (!name) return new Response("No such room", { status: 404 });
    const room = env.ROOMS.getByName(decodeURIComponent(name));
    switch (action) {
      case "socket":
        return room.fetch(request);
      case "history":
        return Response.json(await room.history());
      case "present":
        return Response.json(await room.present());
      case "left":
        return Response.json(await room.lastLeft());
      case "clear":
        return Response.json({ soon: typeof (await room.clearSoon()) === "number" });
      case "id":
        return Response.json({ name: room.name, same: room.id.equals(env.ROOMS.idFromName(room.name!)), hex: /^[0-9a-f]{64}$/.test(`${room.id}`) });
      default:
        return new Response("No such action", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
