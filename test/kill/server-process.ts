// Runs wrangler, and so workerd, until it is killed. Arguments: a configuration, a folder for what is stored.
import { unstable_startWorker } from "wrangler";

const [config, folder] = process.argv.slice(2);
if (config === undefined || folder === undefined) throw new Error("Usage: server-process.ts <config> <folder>");

process.once("disconnect", () => process.exit(1));
const worker = await unstable_startWorker({
  config,
  dev: {
    server: { hostname: "127.0.0.1", port: 0 },
    inspector: false,
    persist: folder,
    watch: false,
    liveReload: false,
  },
});
await worker.ready;
const url = await worker.url;
process.send?.(url.origin);
