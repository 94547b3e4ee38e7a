import type { AgentApi, ApiMethod } from "./api-methods.ts";
import { TenrecError } from "@tenrec/protocol";
import { z } from "zod";
import { diffSession, listFiles, readTextFile } from "./files.ts";
import type { Previews } from "./preview/previews.ts";
import type { Sessions } from "./sessions.ts";
import { waitFor } from "./wait.ts";
import type { Workspace } from "./workspace.ts";

const session = z.string();
/** How long `wait` waits by default. In milliseconds. */
const WAIT_MS = 25_000;

const turn = z.number().int().min(1);
const title = z.string().max(200);
const model = z.string().max(200);
const point = z.union([
  z.strictObject({ turn: z.number().int().min(1), toolCallId: z.string().exactOptional() }),
  z.strictObject({ seq: z.number().int().min(0) }),
]);
const part = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({
    type: z.literal("file"),
    mediaType: z.string(),
    url: z.string(),
    filename: z.string().exactOptional(),
  }),
]);

const PARAMS = {
  "sessions.create": z.strictObject({
    title: title.exactOptional(),
    id: z.string().exactOptional(),
    filesFrom: z.string().nullable().exactOptional(),
  }),
  "sessions.fork": z.strictObject({ from: z.string(), at: point.exactOptional() }),
  "sessions.delete": z.strictObject({ session }),
  "sessions.undo": z.strictObject({
    session,
    to: point,
    force: z.boolean().exactOptional(),
    whenBusy: z.enum(["reject", "abort"]).exactOptional(),
  }),
  "sessions.list": z.strictObject({}),
  "sessions.get": z.strictObject({ session }),
  "sessions.change": z.strictObject({
    session,
    title: title.exactOptional(),
    model: model.exactOptional(),
  }),
  "sessions.reset": z.strictObject({ session, handoff: z.string().exactOptional() }),
  "sessions.snapshot": z.strictObject({ session }),
  submit: z.strictObject({
    session,
    input: z.union([z.string(), z.array(part)]),
    operationId: z.string().min(1).max(200).exactOptional(),
    whenBusy: z.enum(["followUp", "steer", "reject"]).exactOptional(),
  }),
  status: z.strictObject({ session, operationId: z.string() }),
  wait: z.strictObject({
    session,
    operationId: z.string(),
    timeoutMs: z.number().min(0).max(30_000).exactOptional(),
  }),
  abort: z.strictObject({ session, operationId: z.string().exactOptional() }),
  answer: z.strictObject({
    session,
    approvalId: z.string(),
    approved: z.boolean(),
    reason: z.string().max(2000).exactOptional(),
    inputHash: z.string().exactOptional(),
  }),
  spent: z.strictObject({ session }),
  pending: z.strictObject({ session }),
  history: z.strictObject({
    session,
    after: z.number().int().min(0).exactOptional(),
    limit: z.number().int().min(1).max(1000).exactOptional(),
  }),
  "files.list": z.strictObject({ session }),
  "files.read": z.strictObject({ session, path: z.string() }),
  "files.diff": z.strictObject({ session, turn: turn.exactOptional() }),
  "previews.open": z.strictObject({ session, turn: turn.exactOptional() }),
  "previews.revoke": z.strictObject({ session, turn: turn.exactOptional() }),
  "files.usage": z.strictObject({}),
};

type Handlers = {
  [M in ApiMethod]: (params: AgentApi[M][0]) => Promise<AgentApi[M][1]> | AgentApi[M][1];
};

function handlers(workspace: Workspace, sessions: Sessions): Handlers {
  return {
    "sessions.create": (p) => sessions.create(p),
    "sessions.fork": ({ from, ...options }) => sessions.fork(from, options),
    "sessions.delete": async (p) => (await sessions.delete(p.session), null),
    "sessions.undo": ({ session: id, to, ...options }) => sessions.undo(id, to, options),
    "sessions.list": () => sessions.list(),
    "sessions.get": (p) => sessions.get(p.session),
    "sessions.change": ({ session: id, ...change }) => sessions.change(id, change),
    "sessions.reset": (p) => (sessions.reset(p.session, p.handoff), null),
    "sessions.snapshot": (p) => sessions.snapshot(p.session),
    submit: ({ session: id, input, ...options }) => sessions.submit(id, input, options),
    status: (p) => sessions.status(p.session, p.operationId),
    wait: (p) => waitFor(workspace, sessions, p.session, p.operationId, p.timeoutMs ?? WAIT_MS),
    abort: (p) => sessions.abort(p.session, p.operationId),
    answer: async ({ session: id, approvalId, ...answer }) => {
      await sessions.answer(id, approvalId, answer);
      return null;
    },
    spent: (p) => sessions.spent(p.session),
    pending: (p) => sessions.pending(p.session),
    history: (p) => sessions.history(p.session, p.after, p.limit),
    "files.list": (p) => listFiles(workspace, p.session),
    "files.read": (p) => readTextFile(workspace, p.session, p.path),
    "previews.open": (p) => previewsOf(workspace).openLink(p.session, p.turn),
    "previews.revoke": (p) => previewsOf(workspace).revokeLinks(p.session, p.turn),
    "files.usage": () => workspace.trees.usage(),
    "files.diff": (p) => diffSession(workspace, p.session, p.turn),
  };
}

function previewsOf({ previews }: Workspace): Previews {
  if (previews) return previews;
  throw new TenrecError("unsupported", { what: "a link to a preview", by: "a workspace without an agent" });
}

/** Answers one call. Throws `request-invalid` for an unknown method or parameters that do not fit. */
export async function callApi(
  workspace: Workspace,
  sessions: Sessions,
  method: string,
  params: unknown,
): Promise<unknown> {
  if (!Object.hasOwn(PARAMS, method)) {
    const reason = `there is no method ${method}; the methods are ${Object.keys(PARAMS).join(", ")}`;
    throw new TenrecError("request-invalid", { reason });
  }
  const name = method as ApiMethod;
  const parsed = PARAMS[name].safeParse(params);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const reason = `${issue?.path.join(".") || name}: ${issue?.message ?? "not as described"}`;
    throw new TenrecError("request-invalid", { reason });
  }
  const handler = handlers(workspace, sessions)[name] as (params: unknown) => unknown;
  return handler(parsed.data);
}
