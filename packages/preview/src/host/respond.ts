import type { FileSystem, Json } from "@tenrec/protocol";
import { EXCEPTION_HEADER } from "../inside/gateway-binding.ts";
import { exceptionResponse, problemLine, problemsResponse } from "../report/error-page.ts";
import { mapException, startProblem } from "../report/map-stack.ts";
import type { PreviewReport } from "@tenrec/protocol";
import { answersNotFound, assetIfAny, serveAsset } from "../assets/serve-asset.ts";
import { firstToAnswer } from "../assets/worker-first.ts";
import type { LiveApp } from "./app-loader.ts";
import type { Build, BuiltApp, WorkerApp } from "./built-app.ts";
import { answerScheduled, askedCron } from "./run-scheduled.ts";
import { exceptionDetail, isSource } from "./report-trace.ts";

export interface RespondOptions {
  readonly fs: FileSystem;
  readonly load: (app: WorkerApp) => Promise<LiveApp>;
  readonly report: (kind: PreviewReport["kind"], detail: Json) => void;
  readonly slow: number;
  readonly now: () => number;
}

/** Answers one request as a build says. */
export async function respond(request: Request, build: Build, options: RespondOptions): Promise<Response> {
  if ("problems" in build) {
    options.report("build-error", { problems: build.problems.slice(0, MOST_PROBLEMS).map(problemLine) });
    return problemsResponse(request, build.problems);
  }
  const { app } = build;
  const start = options.now();
  const response = await answer(request, app, options);
  const ms = options.now() - start;
  if (response.status >= 500 || ms >= options.slow) {
    const { pathname, search } = new URL(request.url);
    options.report("request", {
      method: request.method,
      path: (pathname + search).slice(0, MOST_PATH),
      status: response.status,
      ms,
    });
  }
  return response;
}

async function answer(request: Request, app: BuiltApp, options: RespondOptions): Promise<Response> {
  const { config, worker } = app;
  const { assets } = config;
  const cron = worker && askedCron(request, config);
  if (worker && cron !== undefined) return answerScheduled(() => options.load(worker), cron, options.now());
  const page = await fromClient(request, app);
  if (page) return page;
  const first = assets && worker ? firstToAnswer(assets, request) : undefined;
  if (!assets || first === "worker") return fromWorker(request, worker, options);
  if (!worker || first === "assets") return serveAsset(options.fs, assets, request);
  const claimed = answersNotFound(assets, request, config) ? assets : { ...assets, notFoundHandling: "none" as const };
  return (await assetIfAny(options.fs, claimed, request)) ?? fromWorker(request, worker, options);
}

/** What Vite would answer; undefined for what is left to the Worker. */
async function fromClient(
  request: Request,
  { client, worker, config: { assets } }: BuiltApp,
): Promise<Response | undefined> {
  if (!client || (worker && assets && firstToAnswer(assets, request) === "worker")) return undefined;
  const found = await client.answer(request);
  if (found) return found;
  const isRouted = !worker || assets?.notFoundHandling === "single-page-application";
  return isRouted && request.headers.get("accept")?.includes("text/html") ? client.page(request) : undefined;
}

async function fromWorker(request: Request, app: WorkerApp | undefined, options: RespondOptions): Promise<Response> {
  if (!app) return new Response("Not found\n", { status: 404 });
  const failed = (error: { name: string; message: string; stack: string }): Response => {
    const exception = mapException(error, isSource(app), app.locate);
    options.report("exception", exceptionDetail(exception));
    return exceptionResponse(request, exception);
  };
  try {
    const { stub } = await options.load(app);
    const response = await stub.getEntrypoint().fetch(forApp(request));
    if (!response.headers.has(EXCEPTION_HEADER)) return response;
    return failed(await response.json());
  } catch (error) {
    const start = startProblem(error);
    if (start) return failed(start);
    const known = error instanceof Error ? error : new Error(String(error));
    return failed({ name: known.name, message: known.message, stack: "" });
  }
}

/** Of more, those that follow are mostly more of the same. */
const MOST_PROBLEMS = 20;
const MOST_PATH = 500;

const PERSONAL = /^(cookie|authorization|proxy-.*|cf-.*|tenrec-.*)$/;

/** Nothing by which a person is known goes into an app that a model wrote. */
function forApp(request: Request): Request {
  const headers = [...request.headers].filter(([name]) => !PERSONAL.test(name));
  return new Request(request, { headers, redirect: "manual" });
}
