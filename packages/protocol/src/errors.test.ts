import { describe, expect, test } from "vitest";
import type { ErrorCode, ErrorData } from "./errors.ts";
import { errorFromJson, errorJson, hasCode, TenrecError } from "./errors.ts";
import { toModelText } from "./to-model-text.ts";

/** One example of every code; the type makes a missing one an error. */
const EXAMPLES: { readonly [C in ErrorCode]: ErrorData[C] } = {
  ENOENT: { path: "/a" },
  EEXIST: { path: "/a" },
  EISDIR: { path: "/a" },
  ENOTDIR: { path: "/a" },
  ENOTEMPTY: { path: "/a" },
  ELOOP: { path: "/a" },
  EINVAL: { path: "/a", reason: "not a link" },
  EACCES: { path: "/a", reason: "outside" },
  EIO: { path: "/a", reason: "lost" },
  EFBIG: { path: "/a", size: 2, limit: 1 },
  ENOSPC: { used: 2, limit: 1 },
  "file-unread": { path: "/a" },
  "file-changed": { path: "/a" },
  "tree-conflict": { paths: ["/a", "/b"] },
  "tree-not-found": { tree: "t1" },
  "git-refused": { what: "the path", reason: "it leads to .git" },
  "git-not-found": { what: "branch x" },
  "git-too-large": { what: "the pack", limit: 1 },
  "git-conflict": { paths: ["/a"] },
  "git-local-changes": { paths: ["/a"] },
  "git-push-rejected": { ref: "refs/heads/main", reason: "not-fast-forward" },
  "git-unauthorized": { url: "https://example.com/a.git", needs: "GIT_TOKEN" },
  "git-failed": { what: "fetch", reason: "status 500" },
  "prompt-empty": {},
  "prompt-too-large": { bytes: 2, limit: 1 },
  "request-invalid": { reason: "no body" },
  "session-not-found": { session: "s1" },
  "operation-not-found": { session: "s1", operationId: "o1" },
  "operation-conflict": { operationId: "o1" },
  "session-busy": { session: "s1" },
  "point-not-found": { session: "s1", point: "turn 3" },
  "undo-conflict": { session: "s1", paths: ["/a", "/b"] },
  "approval-not-found": { approvalId: "a1" },
  "approval-answered": { approvalId: "a1" },
  "approval-mismatch": { approvalId: "a1" },
  "approval-required": { permission: "network", detail: "curl" },
  "permission-denied": { permission: "network", detail: "curl" },
  "tool-unknown": { tool: "rm", known: ["ls", "cat"] },
  "tool-input-invalid": { tool: "ls", reason: "path is missing" },
  "tool-failed": { tool: "ls", reason: "broke" },
  "tool-interrupted": { tool: "bash" },
  "secret-redacted": { tool: "write", mark: "[secret]" },
  "model-unknown": { model: "x", known: ["openai/…"] },
  "model-not-configured": { model: "x", needs: "OPENAI_API_KEY" },
  "model-failed": { model: "x", status: 429, reason: "slow down" },
  "budget-exceeded": { unit: "usd", spent: 2, limit: 1 },
  unreachable: { url: "http://localhost:8787" },
  "preview-not-found": { preview: "p1" },
  "egress-refused": { url: "http://127.0.0.1/", reason: "it is not public" },
  "fetch-failed": { url: "https://example.com/", reason: "reset" },
  "response-too-large": { url: "https://example.com/", limit: 1 },
  "package-not-found": { package: "a@^2", newest: "1.0.0" },
  "package-damaged": { package: "a@1.0.0", reason: "other bytes" },
  "package-too-large": { package: "a@1.0.0", limit: 1 },
  "registry-unauthorized": { package: "a", registry: "registry.example.com" },
  "registry-failed": { package: "a", registry: "registry.example.com", reason: "status 500" },
  unsupported: { what: "steer", by: "codex" },
  unauthorized: { reason: "no token" },
  forbidden: { what: "POST api/submit", role: "spectator" },
  "not-configured": { what: "Preview", how: "Set previews." },
  aborted: { reason: "asked to" },
  timeout: { what: "bash", ms: 10 },
  internal: { reason: "a bug" },
};

const CODES = Object.keys(EXAMPLES) as ErrorCode[];

function example(code: ErrorCode): TenrecError {
  return new TenrecError(code, EXAMPLES[code]);
}

/** What an error is after Durable Object RPC: its own fields, without its class. */
function overRpc(error: TenrecError): Error {
  const { message, code, data, stack } = error;
  return Object.assign(new Error(message), { code, data: structuredClone(data), stack });
}

describe.each(CODES)("%s", (code) => {
  test("has prose that says every figure and name of its data", () => {
    const { message } = example(code);
    expect(message).toMatch(/^\S.{10,}$/);
    for (const value of Object.values(EXAMPLES[code]).flat()) expect(message).toContain(String(value));
  });

  test("survives JSON, and RPC without its class", () => {
    const error = example(code);
    const json = errorJson(error);
    expect(JSON.parse(JSON.stringify(json))).toEqual({ code, message: error.message, data: EXAMPLES[code] });
    expect(errorJson(overRpc(error))).toEqual(json);
    expect(hasCode(overRpc(error), code)).toBe(true);
  });

  test("shows a model its message first, and never a stack", () => {
    const error = example(code);
    const text = toModelText(error);
    expect(text.split("\n")[0]).toBe(error.message);
    for (const frame of (error.stack ?? "").split("\n").slice(1)) expect(text).not.toContain(frame.trim());
    expect(JSON.stringify(errorJson(error))).not.toContain("errors.test.ts");
  });
});

describe("hasCode", () => {
  test.each<[string, unknown]>([
    ["another code", example("EEXIST")],
    ["an error without a code", new Error("ENOENT")],
    ["an object that is no error", { code: "ENOENT" }],
    ["nothing", undefined],
  ])("is false for %s", (_name, value) => {
    expect(hasCode(value, "ENOENT")).toBe(false);
  });
});

describe("errorJson of what is not ours", () => {
  test.each<[string, unknown, string]>([
    ["an error", new TypeError("x is not a function"), "x is not a function"],
    ["an error with a foreign code", Object.assign(new Error("no"), { code: "ERR_X" }), "no"],
    ["a string", "oh no", "oh no"],
    ["undefined", undefined, "undefined"],
  ])("%s is internal", (_name, thrown, reason) => {
    expect(errorJson(thrown)).toEqual({ code: "internal", message: `Internal error: ${reason}`, data: { reason } });
  });

  test("a POSIX error of another make keeps its code", () => {
    const error = Object.assign(new Error("no such file"), { code: "ENOENT" });
    const data = { path: "the path", reason: "no such file" };
    expect(errorJson(error)).toEqual({ code: "ENOENT", message: "no such file", data });
  });
});

test("an error is an Error with its cause", () => {
  const cause = new Error("below");
  const error = new TenrecError("internal", { reason: "a bug" }, { cause });
  expect(error).toBeInstanceOf(Error);
  expect(error.name).toBe("TenrecError");
  expect(error.cause).toBe(cause);
});

describe("errors that are not ours", () => {
  test.each([
    ["an inherited name as code", Object.assign(new Error("no"), { code: "toString", data: {} })],
    ["a code of Node that needs more data", Object.assign(new Error("no"), { code: "ENOSPC" })],
    ["text", "no"],
  ])("%s becomes internal", (_name, error) => {
    expect(errorJson(error)).toEqual({ code: "internal", message: "Internal error: no", data: { reason: "no" } });
    expect(toModelText(error)).not.toContain("undefined");
  });
});

test("an error comes back from its JSON, and one of a later version keeps its message", () => {
  const error = new TenrecError("ENOENT", { path: "/a" });
  expect(errorFromJson(errorJson(error))).toMatchObject({
    code: "ENOENT",
    message: error.message,
    data: { path: "/a" },
  });
  const later = { code: "from-the-future" as ErrorCode, message: "New.", data: {} };
  expect(errorFromJson(later)).toMatchObject({ code: "internal", message: "Internal error: New." });
});
