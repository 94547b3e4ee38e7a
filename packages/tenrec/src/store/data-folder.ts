import { isAbsolute, join } from "node:path";
import { TenrecError } from "@tenrec/protocol";

/** Where Tenrec keeps its data: `$XDG_DATA_HOME/tenrec`, or `~/.local/share/tenrec`. Nothing is made on disk. */
export function dataFolder(env: Readonly<Record<string, string | undefined>>): string {
  // As the specification has it, a path that is relative counts as none.
  const { XDG_DATA_HOME: data, HOME, USERPROFILE } = env;
  if (data && isAbsolute(data)) return join(data, "tenrec");
  const home = HOME || USERPROFILE;
  if (home && isAbsolute(home)) return join(home, ".local", "share", "tenrec");
  throw new TenrecError("not-configured", {
    what: "The folder for Tenrec's data",
    how: "Set HOME, or XDG_DATA_HOME, to an absolute path.",
  });
}
