import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { untilSilent } from "./until-silent.ts";

test("two answers that do not come are no silence, three are", async () => {
  // Each answer in turn; when there are no more, none comes.
  const script = [true, true, false, false, true, false, true, false, false, false];
  let asked = 0;
  const server = createServer((_, response) => {
    if (script[asked++]) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await untilSilent(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 200);
    expect(asked).toBe(script.length);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
