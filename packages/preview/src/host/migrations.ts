import { hasCode, type PreviewRequest } from "@tenrec/protocol";
import type { ProjectConfig } from "../config/project-config.ts";
import { readTextIfAny } from "../graph/read-if-any.ts";
import { putLast } from "../put-last.ts";
import type { Facets } from "./facets.ts";

/** Keeps the D1 databases of sessions up to date with the migrations in their trees. */
export class Migrations {
  readonly #facets: Facets;
  /** By app, tree and binding: a migration that comes or changes is no module, so the app stays the same one. */
  readonly #applied = new Map<string, Promise<void>>();

  constructor(facets: Facets) {
    this.#facets = facets;
  }

  /** Applies what was not applied yet, once for each tree of an app. Throws what SQLite says of a migration. */
  async apply(request: PreviewRequest, app: string, config: ProjectConfig, binding: string): Promise<void> {
    const key = JSON.stringify([app, request.tree, binding]);
    const known = this.#applied.get(key);
    if (known) return known;
    const folder = config.d1.find((each) => each.binding === binding)?.migrations;
    const applied = this.#run(request, folder, binding);
    putLast(this.#applied, key, applied, MOST_KEPT);
    applied.catch(() => this.#applied.delete(key));
    return applied;
  }

  async #run({ session, fs }: PreviewRequest, folder: string | undefined, binding: string): Promise<void> {
    if (folder === undefined) return;
    const names = (await namesIn(fs, folder)).filter((name) => name.endsWith(".sql"));
    const read = names.map(async (name) => ({
      name,
      sql: (await readTextIfAny(fs, fs.resolvePath(folder, name))) ?? "",
    }));
    await this.#facets.storage(session, "d1", binding).migrate(await Promise.all(read));
  }
}

const MOST_KEPT = 100;

async function namesIn(fs: PreviewRequest["fs"], folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return [];
    throw error;
  }
}
