import type { ToolOutput } from "@tenrec/protocol";
import { hasCode } from "@tenrec/protocol";
import { failedOutput } from "../failed-output.ts";
import { nearestPath, type NearestPathPort } from "./nearest-path.ts";

/** The answer of an action; where a file of it is missing, with the nearest path that is there, if the port can tell. */
export async function tellNearest(
  fs: Partial<NearestPathPort>,
  action: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  try {
    return await action();
  } catch (error) {
    if (!hasCode(error, "ENOENT") || !fs.exists || !fs.readdir) throw error;
    const failed = failedOutput(error);
    const [first = ""] = failed.text.split("\n");
    const port: NearestPathPort = { exists: (path) => fs.exists!(path), readdir: (path) => fs.readdir!(path) };
    // That it could not be told is no news.
    const nearest = await nearestPath(port, error.data.path).catch(() => "");
    return { ...failed, text: nearest === "" ? failed.text : `${first}\n${nearest}` };
  }
}
