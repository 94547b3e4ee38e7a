import { type Egress, type EgressRequest, TenrecError } from "@tenrec/protocol";
import { expect, test } from "vitest";
import { inHost } from "../with-host.ts";
import { wrangler } from "../with-wrangler.ts";

/** An internet of one host, which sends `/from` to `/to`. */
function egressOf(asked: EgressRequest[]): Egress {
  return {
    fetch: async (request) => {
      asked.push(request);
      const { url } = request;
      if (!url.startsWith("https://open.example/")) {
        throw new TenrecError("permission-denied", { permission: "network", detail: url });
      }
      const moves = url.endsWith("/from");
      const headers = new Headers(moves ? { location: "/to" } : { "x-a": "1", "content-encoding": "gzip" });
      const body = new Blob([`${request.method} ${new TextDecoder().decode(request.body)}`]).stream();
      return { url, redirects: [], status: moves ? 302 : 200, statusText: "", headers, body };
    },
  };
}

const app = (run: string): string => `export default { async fetch() { ${run} } };`;

test("an app reaches what its network lets through, and hears why not", async () => {
  const asked: EgressRequest[] = [];
  const network = { egress: egressOf(asked), policy: "one host" };
  await inHost(
    async ({ open, get }) => {
      const run = `
        const post = await fetch("https://open.example/api", { method: "POST", body: "sent", headers: { "x-own": "2" } });
        const moved = await fetch("https://open.example/from");
        const manual = await fetch("https://open.example/from", { redirect: "manual" });
        const closed = await fetch("https://closed.example/");
        return Response.json([await post.text(), post.headers.get("x-a"), await moved.text(), moved.url, manual.status, closed.status, await closed.text()]);`;
      const preview = await open({ "wrangler.json": wrangler(), "src/index.ts": app(run) });
      expect(JSON.parse((await get(preview, "/")).text)).toEqual([
        "POST sent",
        "1",
        "GET ",
        "https://open.example/to",
        302,
        403,
        "Not permitted (network): https://closed.example/\n",
      ]);
      expect(asked.map(({ url, maxRedirects }) => [url, maxRedirects])).toEqual([
        ["https://open.example/api", 0],
        ["https://open.example/from", 0],
        ["https://open.example/to", 0],
        ["https://open.example/from", 0],
        ["https://closed.example/", 0],
      ]);
      expect(asked[0]?.headers?.["x-own"]).toBe("2");
      expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => name.startsWith("tenrec-"))).toEqual([]);
    },
    { network },
  );
});
