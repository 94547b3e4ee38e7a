const DEFAULT_REGISTRY = "https://registry.npmjs.org";

/** Which registry has a package, by `.npmrc`. What else it says is for the real npm; logins are never read. */
export function registryOf(npmrc: string): (name: string) => string {
  const lines = npmrc.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^\s*((?:@[^:\s]+:)?registry)\s*=\s*"?([^\s"]+)"?\s*$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value.replace(/\/+$/, "")] as const];
  });
  const registries = new Map(lines);
  return (name) => {
    const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : undefined;
    return registries.get(`${scope}:registry`) ?? registries.get("registry") ?? DEFAULT_REGISTRY;
  };
}
