// Runs wrangler, and so workerd, until it is killed. Arguments: a configuration, a folder for what is stored, variables of the
// Worker as JSON, a port, which is a free one by default, and "https" for that, with a certificate that nobody vouches for.
import { unstable_startWorker } from "wrangler";

const [config, folder, variables = "{}", port = "0", protocol = "http"] = process.argv.slice(2);
if (config === undefined || folder === undefined)
  throw new Error("Usage: server-process.ts <config> <folder> [variables] [port] [protocol]");
const values = Object.entries(JSON.parse(variables) as Record<string, string>);

process.once("disconnect", () => process.exit(1));
const worker = await unstable_startWorker({
  config,
  bindings: Object.fromEntries(values.map(([name, value]) => [name, { type: "plain_text", value }])),
  dev: {
    server: { hostname: "127.0.0.1", port: Number(port), secure: protocol === "https" },
    inspector: false,
    persist: folder,
    watch: false,
    liveReload: false,
  },
});
await worker.ready;
const url = await worker.url;
process.send?.(url.origin);
