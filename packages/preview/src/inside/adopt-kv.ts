import { env, gateway, list } from "./adopt-env.ts";
import { KvStandIn } from "./kv-namespace.ts";

for (const name of list.kv) env[name] = new KvStandIn(gateway, name);
