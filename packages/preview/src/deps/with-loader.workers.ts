import { type Egress, TenrecError } from "@tenrec/protocol";
import { env } from "cloudflare:workers";
import type { Dependencies } from "./dependencies.ts";
import { relativeName } from "./emit/relative-name.ts";

/** The way out to a server on this machine. */
export function egressTo(): Egress {
  return {
    async fetch({ url, maxBytes, signal }) {
      const { status, statusText, headers, body } = await fetch(url, { signal });
      const bytes = await new Response(body).bytes();
      if (bytes.length > maxBytes) throw new TenrecError("response-too-large", { url, limit: maxBytes });
      const chunks = async function* (): AsyncGenerator<Uint8Array> {
        yield bytes;
      };
      return { url, redirects: [], status, statusText, headers, body: chunks() };
    },
  };
}

/** Loads an app of one module with what it imports, and asks it. */
export async function ask(source: string, { modules, imports }: Dependencies, path = "/"): Promise<Response> {
  const main = "src/index.js";
  let js = source;
  for (const [specifier, name] of imports) {
    js = js.replaceAll(JSON.stringify(specifier), JSON.stringify(relativeName(main, name)));
  }
  const worker = env.TEST_LOADER.get(crypto.randomUUID(), () => ({
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
    mainModule: main,
    modules: { ...Object.fromEntries(modules), [main]: { js } } as never,
    globalOutbound: null,
  }));
  return await worker.getEntrypoint().fetch(new Request(`https://app.test${path}`));
}
