import { type FileSystem, hasCode, type Json } from "@tenrec/protocol";
import { EXCEPTION_HEADER, STOPPED_HEADER } from "../inside/gateway-binding.ts";
import type { Thrown } from "../inside/thrown.ts";
import { exceptionResponse, problemLine, problemsResponse } from "../report/error-page.ts";
import { mapException, startProblem } from "../report/map-stack.ts";
import type { PreviewReport } from "@tenrec/protocol";
import { answersNotFound, assetIfAny, serveAsset } from "../assets/serve-asset.ts";
import { firstToAnswer } from "../assets/worker-first.ts";
import type { LiveApp } from "./app-loader.ts";
import type { Build, BuiltApp, WorkerApp } from "./built-app.ts";
import { readException } from "./read-exception.ts";
import { exceptionDetail, placesOf } from "./report-trace.ts";
import { answerScheduled, askedCron } from "./run-scheduled.ts";
import type { StoppedApps } from "./stopped-apps.ts";
import { withinTime } from "./within-time.ts";

export interface RespondOptions {
  readonly fs: FileSystem;
  readonly load: (app: WorkerApp) => Promise<LiveApp>;
  readonly stopped: StoppedApps;
  readonly report: (kind: PreviewReport["kind"], detail: Json) => void;
  readonly slow: number;
  /** How many objects that ran for an app, by its id, another version of it has ended. */
  readonly takeovers: (app: string) => number;
  /** Milliseconds within which an answer must begin. */
  readonly answerMs: number;
  readonly now: () => number;
}

interface AnswerOptions extends RespondOptions {
  /** The request was one of the version before an edit: nothing is wrong with the app. */
  readonly onTakenOver: () => void;
}

/** Answers one request as a build says. Throws `budget-exceeded` when its Worker may not be loaded. */
export async function respond(request: Request, build: Build, options: RespondOptions): Promise<Response> {
  if ("problems" in build) {
    options.report("build-error", { problems: build.problems.slice(0, MOST_PROBLEMS).map(problemLine) });
    return problemsResponse(request, build.problems, options.fs);
  }
  const { app } = build;
  const start = options.now();
  let isTakenOver = false;
  const response = await answer(request, app, { ...options, onTakenOver: () => (isTakenOver = true) });
  const ms = options.now() - start;
  const isFailed = response.status >= 500 && !isTakenOver;
  if (isFailed || ms >= options.slow) {
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

async function answer(request: Request, app: BuiltApp, options: AnswerOptions): Promise<Response> {
  const { config, worker } = app;
  const { assets } = config;
  const cron = worker && askedCron(request, config);
  if (worker && cron !== undefined)
    return answerScheduled(() => options.load(worker), cron, options.now(), options.stopped);
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

async function fromWorker(request: Request, app: WorkerApp | undefined, options: AnswerOptions): Promise<Response> {
  if (!app) return new Response("Not found\n", { status: 404 });
  let live: LiveApp | undefined;
  let isTakenOver = (): boolean => false;
  const failed = (error: Thrown, status = 500): Promise<Response> | Response => {
    if (isTakenOver()) {
      options.onTakenOver();
      return takenOver();
    }
    const exception = mapException(error, placesOf(app));
    if (live) options.stopped.onError(live, error);
    if (!live || options.stopped.isNews(live, error)) options.report("exception", exceptionDetail(exception));
    return exceptionResponse(request, exception, options.fs, status);
  };
  try {
    return await withinTime(options.answerMs, "The app's answer", async (signal) => {
      const ask = async (): Promise<Response> => {
        live = await options.load(app);
        const { id } = live;
        const before = options.takeovers(id);
        isTakenOver = () => options.takeovers(id) > before;
        return live.stub.getEntrypoint().fetch(forApp(request, signal));
      };
      let response = await ask();
      if (live && response.headers.has(STOPPED_HEADER)) {
        options.stopped.giveUp(live);
        // What was stopped before has done nothing for this request. A body can be sent only once.
        if (request.body === null) response = await ask();
      }
      const isException = [EXCEPTION_HEADER, STOPPED_HEADER].some((name) => response.headers.has(name));
      return isException ? failed(await readException(response)) : response;
    });
  } catch (error) {
    if (hasCode(error, "timeout")) return failed(lateAnswer(options.answerMs), 504);
    if (hasCode(error, "budget-exceeded")) throw error;
    const start = startProblem(error);
    if (start) return failed(start);
    const known = error instanceof Error ? error : new Error(String(error));
    return failed({ name: known.name, message: known.message, stack: "" });
  }
}

function takenOver(): Response {
  const text = "The app was changed: a new version of it took over. Make the request again.\n";
  return new Response(text, { status: 503, headers: { "retry-after": "1" } });
}

function lateAnswer(ms: number): Thrown {
  const message = `The app began no answer within ${ms} ms, so its request was ended. Look for an await that nothing ends.`;
  return { name: "Timeout", message, stack: "" };
}

/** Of more, those that follow are mostly more of the same. */
const MOST_PROBLEMS = 20;
const MOST_PATH = 500;

const OURS = /^(proxy-.*|cf-.*|tenrec-.*)$/;

/** Which cookies and credentials are the app's own, who lets the request in has decided: the address says it. */
function forApp(request: Request, signal: AbortSignal): Request {
  const headers = [...request.headers].filter(([name]) => !OURS.test(name));
  return new Request(request, { headers, redirect: "manual", signal });
}
