import { env, gateway, list } from "./adopt-env.ts";
import { R2StandIn } from "./r2-bucket.ts";

for (const name of list.r2) env[name] = new R2StandIn(gateway, name);
