import type { ProjectConfig } from "../config/project-config.ts";
import type { BindingList } from "../inside/gateway-binding.ts";

/** The bindings of a configuration as its app's isolate is told of them. */
export function bindingList(config: ProjectConfig): BindingList {
  const { kv, d1, r2, durableObjects, services, assets, unsupported } = config;
  return {
    kv,
    d1: d1.map(({ binding }) => binding),
    r2,
    objects: durableObjects,
    services,
    ...(assets?.binding === undefined ? {} : { assets: assets.binding }),
    unsupported: unsupported.flatMap(({ binding, feature }) => (binding === undefined ? [] : [{ binding, feature }])),
  };
}
