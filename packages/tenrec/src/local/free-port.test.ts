import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { expect, test } from "vitest";
import { freePort, USUAL_PORT } from "./free-port.ts";

async function listenOn(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}

test("a wanted port that is taken on either address is refused", async () => {
  const { server, port } = await listenOn("127.0.0.1");
  await expect(freePort(port)).rejects.toThrow(`Port ${port} cannot be used`);
  server.close();
  await once(server, "close");
  expect(await freePort(port)).toBe(port);
});

// Not the usual port: other tests start servers there meanwhile.
test("else the first free one from a port on", async () => {
  const from = USUAL_PORT + 1000;
  const port = await freePort(undefined, from);
  expect(port).toBeGreaterThanOrEqual(from);
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await freePort(undefined, from)).toBeGreaterThan(port);
  server.close();
});
