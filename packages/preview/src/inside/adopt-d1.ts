import { env, gateway, list } from "./adopt-env.ts";
import { D1StandIn } from "./d1-database.ts";

for (const name of list.d1) env[name] = new D1StandIn(gateway, name);
