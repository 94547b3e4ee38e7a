/** How else a field is called, and `undefined` for what a tool has no use for. */
export type OtherNames<Input> = Readonly<Record<string, (keyof Input & string) | undefined>>;

/** Of files and folders, in the tools of other agents. */
export const PATH_NAMES: OtherNames<{ path: unknown }> = {
  file_path: "path",
  filePath: "path",
  filepath: "path",
  absolute_path: "path",
  target_file: "path",
  dir_path: "path",
  directory: "path",
};

/**
 * An input with the names of a tool in place of those that other agents have for its fields: models know some by heart, and
 * use them whatever they are told. A field that is there by two names stays as it is, for the schema to refuse.
 */
export function withOwnNames(input: unknown, names: Readonly<Record<string, string | undefined>>): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const given = Object.keys(input);
  if (!given.some((key) => Object.hasOwn(names, key))) return input;
  const ownOf = (key: string): string | undefined => (Object.hasOwn(names, key) ? names[key] : key);
  const isOnce = (own: string): boolean => given.filter((key) => ownOf(key) === own).length === 1;
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    const own = ownOf(key);
    if (own === undefined) return [];
    return [[isOnce(own) ? own : key, value]];
  });
  return Object.fromEntries(entries);
}
