import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { connect } from "@tenrec/runtime/client";
import { packTar } from "@tenrec/vfs/folder";
import type { CleanUp } from "../../frame/clean-up.ts";
import { startWorkerSubject } from "../../frame/worker-subject.ts";
import type { AppFile } from "../app/app-file.ts";
import type { Project, TenrecSubject } from "../context.ts";

const TOKEN = "bench-token";
const BINDINGS = [
  `(name = "LOADER", workerLoader = (id = "apps"))`,
  `(name = "TENREC_TOKEN", text = "${TOKEN}")`,
  `(name = "TENREC_SECRET", text = "bench-secret")`,
];

/** A real agent, asked as a client and a browser ask it. */
export async function startTenrec(folder: string, cleanUp: CleanUp): Promise<TenrecSubject> {
  const entry = join(import.meta.dirname, "../workers/tenrec.worker.ts");
  const subject = await startWorkerSubject({ name: "tenrec", entry, folder, bindings: BINDINGS, cleanUp });
  const openIn = async (workspace: string, id: string, files: readonly AppFile[]): Promise<Project> => {
    const client = (): ReturnType<typeof connect> =>
      connect(`${subject.url()}/agents/subjects/${workspace}`, { token: TOKEN });
    await client().sessions.create({ id, filesFrom: null });
    const session = (): ReturnType<ReturnType<typeof connect>["session"]> => client().session(id);
    const save = async (saved: readonly AppFile[]): Promise<void> => {
      await session().files.import(new Blob([await tarOf(saved)]).stream());
    };
    await save(files);
    const { pathname } = new URL((await session().preview()).url);
    return {
      save: (file) => save([file]),
      ask: async (path) => (await fetch(`${subject.url()}${pathname}${path.slice(1)}`)).text(),
      close: () => session().delete(),
    };
  };
  return {
    name: subject.name,
    open: (name, files) => openIn("shared", name, files),
    openAlone: (name, files) => openIn(name, name, files),
    restart: () => subject.restart(),
    stop: () => subject.stop(),
  };
}

function tarOf(files: readonly AppFile[]): Promise<Buffer<ArrayBuffer>> {
  const entries = files.map(({ path, text }) => {
    const content = new TextEncoder().encode(text);
    return { kind: "file", path: `/${path}`, mode: 0o644, size: content.length, content } as const;
  });
  return buffer(packTar(entries)) as Promise<Buffer<ArrayBuffer>>;
}
