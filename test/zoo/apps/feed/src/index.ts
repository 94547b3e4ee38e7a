import { Channel } from "./channel";

export { Channel };

interface Env {
  CHANNELS: DurableObjectNamespace<Channel>;
}

function countTo(last: number): ReadableStream {
  const { readable, writable } = new TransformStream<string, string>();
  const write = async () => {
    const writer = writable.getWriter();
    for (let n = 1; n <= last; n += 1) {
      await writer.write(`${n}\n`);
      await scheduler.wait(1);
    }
    await writer.close();
  };
  void write();
  return readable.pipeThrough(new TextEncoderStream());
}

const upperCase = () =>
  new TransformStream<string, string>({ transform: (text, controller) => controller.enqueue(text.toUpperCase()) });

export default {
  async fetch(request, env): Promise<Response> {
    const url = new URL(request.url);
    const [, area, name = "main"] = url.pathname.split("/");
    const channel = env.CHANNELS.get(env.CHANNELS.idFromName(name));
    switch (area) {
      case "events":
        return channel.fetch(request);
      case "publish":
        return Response.json({ heard: await channel.publish(await request.text()) });
      case "listeners":
        return Response.json(await channel.listeners());
      case "end":
        await channel.end();
        return new Response(null, { status: 202 });
      case "count":
        return new Response(countTo(Number(name)), { headers: { "content-type": "text/plain" } });
      case "shout":
        return new Response(request.body?.pipeThrough(new TextDecoderStream()).pipeThrough(upperCase()).pipeThrough(new TextEncoderStream()));
      case "tee": {
        const [one, two] = request.body!.tee();
        return new Response((await new Response(one).text()) + (await new Response(two).text()));
      }
      case "fixed": {
        const { readable, writable } = new FixedLengthStream(5);
        const writer = writable.getWriter();
        void writer.write(new TextEncoder().encode("fixed")).then(() => writer.close());
        return new Response(readable);
      }
      default:
        return new Response("Not found", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;
