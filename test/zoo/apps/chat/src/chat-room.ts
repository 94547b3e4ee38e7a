import { DurableObject } from "cloudflare:workers";

interface Line extends Record<string, SqlStorageValue> {
  name: string;
  text: string;
}

interface Attachment {
  name: string;
  said: number;
}

export class ChatRoom extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      ctx.storage.sql.exec("CREATE TABLE IF NOT EXISTS lines (id INTEGER PRIMARY KEY, name TEXT, text TEXT)");
    });
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
  }

  override async fetch(request: Request): Promise<Response> {
    if (request.headers.get("Upgrade") !== "websocket") return new Response("Expected a WebSocket", { status: 426 });
    const name = new URL(request.url).searchParams.get("name") ?? "somebody";
    if (this.ctx.getWebSockets(name).length > 0) return new Response("That name is taken", { status: 409 });
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server, [name, "everybody"]);
    server.serializeAttachment({ name, said: 0 } satisfies Attachment);
    server.send(JSON.stringify({ history: this.history() }));
    this.#broadcast({ joined: name, present: this.present() }, server);
    return new Response(null, { status: 101, webSocket: client });
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const attachment = socket.deserializeAttachment() as Attachment;
    if (typeof message !== "string") return void socket.send(message.slice(1));
    const { say, whisper, to } = JSON.parse(message) as { say?: string; whisper?: string; to?: string };
    if (whisper !== undefined && to !== undefined) {
      for (const other of this.ctx.getWebSockets(to)) other.send(JSON.stringify({ from: attachment.name, whisper }));
      return;
    }
    if (say === "/quit") return socket.close(4000, "bye");
    if (say === "/crash") throw new Error("crashed");
    this.ctx.storage.sql.exec("INSERT INTO lines (name, text) VALUES (?, ?)", attachment.name, say ?? "");
    attachment.said += 1;
    socket.serializeAttachment(attachment);
    this.#broadcast({ name: attachment.name, say, said: attachment.said });
  }

  override async webSocketClose(socket: WebSocket, code: number, reason: string, wasClean: boolean): Promise<void> {
    const { name } = socket.deserializeAttachment() as Attachment;
    await this.ctx.storage.put("last-left", { name, code, reason, wasClean });
    this.#broadcast({ left: name }, socket);
  }

  history(): Line[] {
    return this.ctx.storage.sql.exec<Line>("SELECT name, text FROM lines ORDER BY id DESC LIMIT 3").toArray().reverse();
  }

  present(): string[] {
    return this.ctx
      .getWebSockets("everybody")
      .map((socket) => (socket.deserializeAttachment() as Attachment).name)
      .sort();
  }

  async lastLeft(): Promise<unknown> {
    return (await this.ctx.storage.get("last-left")) ?? null;
  }

  /** Clears the room a moment later, which listeners are told. */
  async clearSoon(): Promise<number | null> {
    await this.ctx.storage.setAlarm(Date.now() + 200);
    return this.ctx.storage.getAlarm();
  }

  override async alarm(): Promise<void> {
    this.ctx.storage.sql.exec("DELETE FROM lines");
    this.#broadcast({ cleared: true });
  }

  #broadcast(message: object, except?: WebSocket): void {
    for (const socket of this.ctx.getWebSockets("everybody")) {
      if (socket !== except && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    }
  }
}
