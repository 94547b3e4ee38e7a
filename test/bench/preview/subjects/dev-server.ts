import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CleanUp } from "../../frame/clean-up.ts";
import { startCommand } from "../../frame/start-command.ts";
import type { AppFile } from "../app/app-file.ts";
import type { PreviewSubject, Project } from "../context.ts";

/** A development server as its command line starts it. */
export interface DevServer {
  /** Of the package, and of its command. */
  readonly name: string;
  readonly args: readonly string[];
  /** What its project has besides the app's own files, and the packages that are installed for that. */
  readonly files: readonly AppFile[];
  readonly packages: readonly string[];
}

const NODE_MODULES: string = join(import.meta.dirname, "../../../node_modules");
/** Where it says that it listens. */
const ADDRESS = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/;

/** `wrangler dev`: builds anew when a file has changed, and starts its workerd anew. */
export const WRANGLER: DevServer = {
  name: "wrangler",
  args: ["dev", "--ip", "127.0.0.1", "--port", "0", "--inspector-port", "0", "--show-interactive-dev-session=false"],
  files: [],
  packages: [],
};

/** `vite` with `@cloudflare/vite-plugin`. */
export const VITE: DevServer = {
  name: "vite",
  args: ["dev", "--host", "127.0.0.1", "--port", "0"],
  files: [
    {
      path: "vite.config.ts",
      text: `import { cloudflare } from "@cloudflare/vite-plugin";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [cloudflare({ inspectorPort: false })] });
`,
    },
  ],
  packages: ["@cloudflare/vite-plugin", "vite"],
};

/** Each project gets a folder and a server of its own. */
export function devServerSubject(server: DevServer, folder: string, cleanUp: CleanUp): PreviewSubject {
  return {
    name: server.name,
    async open(name, files) {
      const project = join(folder, server.name, name);
      for (const file of [...files, ...server.files]) await writeInto(project, file);
      for (const each of server.packages) await linkPackage(project, each);
      return start(server, project, cleanUp);
    },
    stop: async () => {},
  };
}

export async function writeInto(project: string, { path, text }: AppFile): Promise<void> {
  const file = join(project, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Into a folder of its own: what tools write beside packages is gone with the project. */
async function linkPackage(project: string, name: string): Promise<void> {
  const link = join(project, "node_modules", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(join(NODE_MODULES, name), link);
}

async function start({ name, args }: DevServer, project: string, cleanUp: CleanUp): Promise<Project> {
  const server = startCommand([name, ...args], project, cleanUp);
  const [url] = await server.printed(ADDRESS);
  return {
    save: (file) => writeInto(project, file),
    ask: async (path) => (await fetch(url + path)).text(),
    close: () => server.stop(),
  };
}
