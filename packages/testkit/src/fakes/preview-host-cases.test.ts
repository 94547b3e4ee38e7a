import type { FileSystem, PreviewHost, PreviewRequest } from "@tenrec/protocol";
import type { PreviewHostSubject } from "@tenrec/protocol/testing";
import { previewHostCases } from "@tenrec/protocol/testing";
import { memoryFileSystem } from "./memory-file-system.ts";
import { canFail, keepsContract } from "./with-cases.ts";

/** Serves `index.txt`. Just enough of a host to show that the cases can be kept. */
function textHost(): PreviewHost {
  const open = new Map<string, FileSystem>();
  return {
    open: async ({ session, tree, fs }) => {
      const id = `${session}-${tree}`;
      open.set(id, fs);
      return { id };
    },
    fetch: async (id, request) => {
      const fs = open.get(id);
      if (!fs) return new Response(null, { status: 404 });
      if (await fs.exists("/broken.ts")) return new Response("broken.ts: syntax error", { status: 500 });
      return new Response(request.method === "POST" ? request.body : await fs.readFile("/index.txt"));
    },
    close: async (id) => void open.delete(id),
  };
}

const app = (tree: string, files: Record<string, string>): PreviewRequest => ({
  session: "s1",
  tree,
  fs: memoryFileSystem(files),
});

const subject = (): PreviewHostSubject => ({
  host: textHost(),
  app: app("t1", { "/index.txt": "it works" }),
  changed: app("t2", { "/index.txt": "it changed" }),
  broken: app("t3", { "/broken.ts": "" }),
});

keepsContract("a host of plain text", previewHostCases, subject);

const withHost = (change: (inner: PreviewHost) => Partial<PreviewHost>): (() => PreviewHostSubject) => {
  return () => {
    const inner = textHost();
    return { ...subject(), host: { ...inner, ...change(inner) } };
  };
};

canFail(previewHostCases, {
  "the same tree of a session gives the same preview": withHost((inner) => ({
    open: (request) => inner.open({ ...request, tree: crypto.randomUUID() }),
  })),
  "another tree, or another session, gives another one": withHost((inner) => ({
    open: (request) => inner.open({ ...request, session: "" }),
  })),
  "a request is answered as the app would": withHost((inner) => ({
    fetch: (id) => inner.fetch(id, new Request("http://preview.invalid/")),
  })),
  "a change is a new preview, and the old one stays as it was": withHost((inner) => ({
    open: (request) => inner.open({ ...request, tree: "t0" }),
  })),
  "a build that fails is a response with the errors": withHost((inner) => ({
    fetch: async (id, request) => new Response((await inner.fetch(id, request)).body, { status: 200 }),
  })),
  "any text may be taken for a stack trace of a page": withHost(() => ({
    locate: async () => ({}) as never,
  })),
  "a closed preview is not served, and may be closed again": withHost(() => ({ close: async () => {} })),
  "a closed preview can be opened again": withHost((inner) => {
    const closed = new Set<string>();
    return {
      close: async (id) => void closed.add(id),
      fetch: async (id, request) => (closed.has(id) ? new Response(null, { status: 404 }) : inner.fetch(id, request)),
    };
  }),
});
