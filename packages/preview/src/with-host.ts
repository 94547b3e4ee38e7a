import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import {
  type FileSystem,
  type Preview,
  type PreviewReport,
  type PreviewRequest,
  TenrecError,
  type WorkerLoad,
} from "@tenrec/protocol";
import { memoryFileSystem } from "@tenrec/testkit";
import { LivePreviews, type LivePreviewsOptions } from "./host/live-previews.ts";

/** Files of a tree by path; text that is not a string is written as JSON. */
export type Files = Readonly<Record<string, string | object>>;

/** A preview, and where a test asks for its pages. */
interface OpenPreview extends Preview {
  readonly url: string;
}

export interface TestHost {
  readonly previews: LivePreviews;
  readonly reports: PreviewReport[];
  /** For when the host last asked to be woken, in milliseconds since the epoch. */
  readonly alarms: (number | undefined)[];
  /** Of Dynamic Workers that were billed anew. */
  readonly loads: WorkerLoad[];
  /** Opens a tree of these files. Trees with the same files have the same name. */
  open(files: Files, session?: string): Promise<OpenPreview>;
  /** Makes these files what a session shows when an alarm is due, without a request. */
  show(files: Files, session: string): void;
  /** The answer to a request, with its body as text. */
  get(preview: Preview, path: string, init?: RequestInit): Promise<{ status: number; text: string; headers: Headers }>;
  /** What a host that keeps nothing would be asked. */
  request(files: Files, session?: string): PreviewRequest;
}

/** Runs a test in a real Durable Object of its own, which hosts previews with a real Worker Loader. */
export async function inHost<T>(
  run: (host: TestHost) => Promise<T>,
  { mostLoads = Infinity, ...options }: Partial<LivePreviewsOptions> & { readonly mostLoads?: number } = {},
): Promise<T> {
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.newUniqueId());
  return runInDurableObject(stub, async (instance, ctx) => {
    const reports: PreviewReport[] = [];
    const alarms: (number | undefined)[] = [];
    const loads: WorkerLoad[] = [];
    const previews = new LivePreviews({
      ctx,
      loader: env.TEST_LOADER,
      binding: "TEST_OBJECT",
      ...options,
    });
    const latest = new Map<string, PreviewRequest>();
    previews.listen({
      report: (report) => void reports.push(report),
      alarm: (time) => void alarms.push(time),
      loading: (load) => {
        if (loads.length >= mostLoads) {
          const unit = "Dynamic Workers of the session";
          throw new TenrecError("budget-exceeded", { unit, spent: loads.length, limit: mostLoads });
        }
        loads.push(load);
      },
      current: (session) => latest.get(session),
    });
    instance.previews = previews;
    const get: TestHost["get"] = async ({ id }, path, init) => {
      const response = await previews.fetch(id, new Request(new URL(path, addressOf(id)), init));
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const show = (files: Files, session?: string): PreviewRequest => {
      const request = requestFor(files, session);
      latest.set(request.session, request);
      return request;
    };
    const open: TestHost["open"] = async (files, session) => {
      const { id } = await previews.open(show(files, session));
      return { id, url: addressOf(id) };
    };
    return run({ previews, reports, alarms, loads, open, get, show, request: requestFor });
  });
}

const addressOf = (id: string): string => `http://${id}.preview.localhost/`;

function requestFor(files: Files, session = "s1"): PreviewRequest {
  return { session, tree: JSON.stringify(files), fs: treeOf(files) };
}

export function treeOf(files: Files): FileSystem {
  const entries = Object.entries(files).map(([path, content]) => [
    path.startsWith("/") ? path : `/${path}`,
    typeof content === "string" ? content : JSON.stringify(content),
  ]);
  return memoryFileSystem(Object.fromEntries(entries) as Record<string, string>);
}
