import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it } from "vitest";
import { memoryCache } from "./cache/memory-cache.ts";
import type { DependencyRequest } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { A, B, bundlerOf, lockOf, requestOf } from "./with-bundler.ts";
import { type FakeRegistry, fakeRegistry, integrityOf, REGISTRY } from "./with-registry.ts";

describe("what is wrong", () => {
  const problemsOf = async (
    registry: FakeRegistry,
    request: Partial<DependencyRequest> & { needs?: Record<string, string> },
  ): Promise<string[]> => (await bundlerOf(registry).bundle(requestOf(request))).problems.map(({ message }) => message);

  it.each<{ title: string; request: Partial<DependencyRequest> & { needs?: Record<string, string> }; says: RegExp }>([
    {
      title: "a package that is not declared",
      request: { specifiers: ["zod"] },
      says: /imports zod, and zod is not in its package\.json/,
    },
    { title: "an app without a manifest", request: { manifest: undefined }, says: /a is not in its package\.json/ },
    { title: "a manifest that is no JSON", request: { manifest: "{" }, says: /package\.json/ },
    {
      title: "a package that no registry has",
      request: { specifiers: ["x"], needs: { x: "1" } },
      says: /^There is no package x at registry\.test\. Check its name in package\.json, or do without it\.$/,
    },
    {
      title: "a version that is not there",
      request: { needs: { a: "^7" } },
      says: /^There is no package a@\^7\. Its newest version is 1\.0\.0\. Ask in package\.json for a version that there is, such as \^1\.0\.0\.$/,
    },
    {
      title: "a path that is not exported",
      request: { specifiers: ["a/internal"] },
      says: /a@1\.0\.0 has no export "\.\/internal"/,
    },
    {
      title: "a package from a repository",
      request: { needs: { a: "github:x/a" } },
      says: /does not support the package a from github:x\/a/,
    },
    {
      title: "a module of Node in a browser",
      request: { specifiers: ["fs"], target: "browser" },
      says: /fs is a module of Node/,
    },
  ])("is said of $title", async ({ request, says }) => {
    expect(await problemsOf(await fakeRegistry([A]), request)).toEqual([expect.stringMatching(says)]);
  });

  it("leaves the others as they are", async () => {
    const { imports, problems } = await bundlerOf(await fakeRegistry([A])).bundle(
      requestOf({ specifiers: ["a/sub", "zod"] }),
    );
    expect([...imports.keys()]).toEqual(["a/sub"]);
    expect(problems).toHaveLength(1);
  });

  it.each([
    { status: 401, says: /registry\.test does not give a to everybody/ },
    { status: 403, says: /registry\.test does not give a to everybody/ },
    { status: 503, says: /registry\.test did not give a: it answers with status 503/ },
  ])("is said of a registry with status $status", async ({ status, says }) => {
    const registry = await fakeRegistry([A]);
    registry.answers.set("/a", status);
    expect(await problemsOf(registry, {})).toEqual([expect.stringMatching(says)]);
  });

  it.each([
    {
      code: "permission-denied" as const,
      data: { permission: "network" as const, detail: "registry.test" },
      says: "Not permitted (network): registry.test Do not try it another way. Go on without it, or tell the user what you would need.",
    },
    {
      code: "egress-refused" as const,
      data: { url: "http://10.0.0.1/a", reason: "an address of a private network" },
      says: "Not reached: http://10.0.0.1/a: an address of a private network. Other spellings of the address are refused too. Use a public http or https address, or tell the user what you would need.",
    },
  ])("is said of a registry that the policy does not let through: $code", async ({ code, data, says }) => {
    const egress = { fetch: () => Promise.reject(new TenrecError(code, data as never)) };
    const bundler = createDependencyBundler({ egress, cache: memoryCache(1_000_000), registry: REGISTRY });
    expect((await bundler.bundle(requestOf({ specifiers: ["a/sub"] }))).problems).toEqual([{ message: says }]);
  });

  it("is said once when nobody answers, and tried again", async () => {
    const registry = await fakeRegistry([A]);
    let isOnline = false;
    const egress = {
      fetch: (request: Parameters<typeof registry.egress.fetch>[0]) => {
        if (isOnline) return registry.egress.fetch(request);
        return Promise.reject(new TenrecError("fetch-failed", { url: request.url, reason: "offline" }));
      },
    };
    const bundler = createDependencyBundler({ egress, cache: memoryCache(1_000_000), registry: REGISTRY });
    expect((await bundler.bundle(requestOf({ specifiers: ["a/sub"] }))).problems).toEqual([
      { message: expect.stringContaining(`No answer from ${REGISTRY}/a: offline.`) as string },
    ]);
    isOnline = true;
    expect((await bundler.bundle(requestOf({ specifiers: ["a/sub"] }))).problems).toEqual([]);
  });

  it("is a tarball with other bytes than the lockfile says, and is never kept", async () => {
    const registry = await fakeRegistry([B]);
    const cache = memoryCache(1_000_000);
    const good = await integrityOf(registry.answers.get("/b/-/b-1.2.0.tgz") as Uint8Array<ArrayBuffer>);
    const bad = good.replace(/-./, (start) => (start === "-A" ? "-B" : "-A"));
    const request = requestOf({ specifiers: ["b"], lockfile: await lockOf(["b", "1.2.0", bad]) });
    const { imports, problems } = await bundlerOf(registry, cache).bundle(request);
    expect(imports.size).toBe(0);
    expect(problems).toEqual([
      {
        message: expect.stringMatching(
          /^The package b@1\.2\.0 was refused: its integrity is sha512-\S+, and sha512-\S+ is wanted\. Take another version\. If a lockfile names this one, bring it up to date or delete it\.$/,
        ) as string,
      },
    ]);
    const right = await bundlerOf(registry, cache).bundle({ ...request, lockfile: await lockOf(["b", "1.2.0", good]) });
    expect(right.problems).toEqual([]);
  });

  it.each(["../../etc/passwd", "a/../../b", "@s", "a b", "%2e%2e", ""])("is a package by the name %j", async (name) => {
    const integrity = "sha512-AAAA";
    const packages = { "node_modules/a": { name, version: "1.0.0", integrity } };
    const lockfile = { name: "package-lock.json", text: JSON.stringify({ packages }) };
    const registry = await fakeRegistry();
    const [problem] = await problemsOf(registry, { lockfile });
    // An empty name is none, and the place counts.
    expect(problem).toMatch(name === "" ? /no package a@1\.0\.0/ : /that is no name of a package/);
    expect(registry.requests).toHaveLength(name === "" ? 1 : 0);
  });

  it("is a version with a path in it", async () => {
    const packages = { "node_modules/a": { version: "1.0.0/../../b", integrity: "sha512-AAAA" } };
    const lockfile = { name: "package-lock.json", text: JSON.stringify({ packages }) };
    expect(await problemsOf(await fakeRegistry(), { lockfile })).toEqual([
      expect.stringMatching(/no name of a package/),
    ]);
  });

  it("is a package that the lockfile does not have", async () => {
    const lockfile = await lockOf(["b", "1.2.0", "sha512-b"]);
    expect(await problemsOf(await fakeRegistry([A]), { lockfile })).toEqual([
      expect.stringMatching(/a is in package\.json and not in package-lock\.json/),
    ]);
  });

  it("is a file that is too large to be taken apart", async () => {
    const files = { "index.js": `exports.a = "${"x".repeat(4 * 1024 * 1024)}";` };
    expect(await problemsOf(await fakeRegistry([{ ...B, files }]), { specifiers: ["b"], needs: { b: "*" } })).toEqual([
      expect.stringMatching(/^b@1\.2\.0: index\.js has 4194319 bytes, the limit for code is 4194304\.$/),
    ]);
  });

  it("is a file that waits outside of functions, and only where it is used", async () => {
    const waits = {
      manifest: { name: "w", version: "1.0.0" },
      files: { "index.js": "export const w = 1;", "wait.js": "export const x = await 1;" },
    };
    const needs = { w: "*" };
    expect(await problemsOf(await fakeRegistry([waits]), { specifiers: ["w"], needs })).toEqual([]);
    expect(await problemsOf(await fakeRegistry([waits]), { specifiers: ["w/wait.js"], needs })).toEqual([
      "w@1.0.0: wait.js has an await outside of functions, which a package cannot have here.",
    ]);
  });
});
