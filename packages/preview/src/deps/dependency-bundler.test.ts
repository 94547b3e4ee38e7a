import { TenrecError } from "@tenrec/protocol";
import { describe, expect, it } from "vitest";
import { memoryCache } from "./cache/memory-cache.ts";
import type { Dependencies, DependencyProgress, DependencyRequest } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { type FakeRegistry, fakeRegistry, integrityOf, type MadePackage, REGISTRY } from "./with-registry.ts";

const A: MadePackage = {
  manifest: { name: "a", version: "1.0.0", type: "module", exports: { ".": "./index.js", "./sub": "./sub.js" } },
  files: {
    "index.js": `import { shared } from "./shared.js"; export { b } from "b"; export const a = shared;`,
    "sub.js": `export { shared } from "./shared.js";`,
    "shared.js": `export const shared = {};`,
  },
};
const WITH_B: MadePackage = { ...A, manifest: { ...A.manifest, dependencies: { b: "^1.0.0" } } };
const B: MadePackage = { manifest: { name: "b", version: "1.2.0" }, files: { "index.js": `exports.b = "b";` } };

function requestOf(
  request: Partial<DependencyRequest> & { readonly needs?: Record<string, string> },
): DependencyRequest {
  const { needs = { a: "^1.0.0" }, ...rest } = request;
  return {
    specifiers: ["a"],
    manifest: JSON.stringify({ dependencies: needs }),
    lockfile: undefined,
    target: "worker",
    conditions: ["workerd", "worker", "browser"],
    signal: new AbortController().signal,
    ...rest,
  };
}

function bundlerOf(
  { egress }: FakeRegistry,
  cache = memoryCache(100_000_000),
): ReturnType<typeof createDependencyBundler> {
  return createDependencyBundler({ egress, cache, registry: REGISTRY });
}

function textOf({ modules }: Dependencies): string {
  return JSON.stringify([...modules]);
}

async function lockOf(
  ...packages: readonly [name: string, version: string, integrity: string][]
): Promise<DependencyRequest["lockfile"]> {
  const entries = packages.map(([name, version, integrity]) => [
    `node_modules/${name}`,
    { version, resolved: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`, integrity },
  ]);
  return {
    name: "package-lock.json",
    text: JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) }),
  };
}

describe("a bundle", () => {
  it("has names with versions, and imports by relative names only", async () => {
    const { modules, imports, problems } = await bundlerOf(await fakeRegistry([WITH_B, B])).bundle(requestOf({}));
    expect(problems).toEqual([]);
    expect(imports.get("a")).toMatch(/^node_modules\/a@1\.0\.0\/index-[\da-f]{16}\.js$/);
    expect([...modules.keys()].map((name) => name.replace(/-[\da-f]{16}/, "-#"))).toEqual([
      "node_modules/.link-#.js",
      "node_modules/a@1.0.0-#.js",
      "node_modules/a@1.0.0/index-#.js",
      "node_modules/b@1.2.0-#.js",
    ]);
    for (const [, from] of textOf({ modules } as Dependencies).matchAll(/^import .* from \\"(.*)\\"/gm))
      expect(from).toMatch(/^\.\.?\//);
  });

  it("is the same for the same request, whatever else was asked of the cache before", async () => {
    const registry = await fakeRegistry([WITH_B, B]);
    const first = await bundlerOf(registry).bundle(requestOf({}));
    const cache = memoryCache(100_000_000);
    await bundlerOf(registry, cache).bundle(requestOf({ specifiers: ["a/sub"] }));
    const both = await bundlerOf(registry, cache).bundle(requestOf({ specifiers: ["a/sub", "a"] }));
    const second = await bundlerOf(registry, cache).bundle(requestOf({}));
    expect(textOf(second)).toBe(textOf(first));
    expect([...both.imports.keys()]).toEqual(["a/sub", "a"]);
  });

  it.each([1, 2])("changes the name of a package with what it needs, %d packages away", async (distance) => {
    const b = { ...B, manifest: { ...B.manifest, dependencies: { c: "*" } }, files: { "index.js": `require("c");` } };
    const c = { ...B, manifest: { name: "c", version: "1.0.0" } };
    const { manifest, files } = distance === 1 ? b : c;
    const newer = { manifest: { ...manifest, version: "1.3.0" }, files };
    const first = await bundlerOf(await fakeRegistry([WITH_B, b, c])).bundle(requestOf({}));
    const second = await bundlerOf(await fakeRegistry([WITH_B, b, c, newer])).bundle(requestOf({}));
    expect(second.imports.get("a")).not.toBe(first.imports.get("a"));
    // What has the same name is the same.
    for (const [name, content] of second.modules) expect(first.modules.get(name) ?? content).toEqual(content);
  });

  it("asks the registry once, and for nothing that is not imported", async () => {
    const registry = await fakeRegistry([WITH_B, B, { ...B, manifest: { name: "c", version: "1.0.0" } }]);
    const cache = memoryCache(100_000_000);
    const request = requestOf({ needs: { a: "^1.0.0", c: "^1.0.0" } });
    await bundlerOf(registry, cache).bundle(request);
    expect(registry.requests.map(({ url }) => new URL(url).pathname).toSorted()).toEqual([
      "/a",
      "/a/-/a-1.0.0.tgz",
      "/b",
      "/b/-/b-1.2.0.tgz",
    ]);
    await bundlerOf(registry, cache).bundle(request);
    expect(registry.requests).toHaveLength(4);
  });

  it("has the names that are asked for now, of packages that are there already", async () => {
    const registry = await fakeRegistry([{ ...B, files: { "index.js": "for (const k of 'xyz') exports[k] = k;" } }]);
    const bundler = bundlerOf(registry);
    const request = requestOf({ specifiers: ["b"], needs: { b: "*" } });
    const exportsFor = async (names: readonly string[]): Promise<readonly string[]> => {
      const { modules, imports } = await bundler.bundle({ ...request, names: new Map([["b", names]]) });
      const content = modules.get(imports.get("b") ?? "");
      const [, list = ""] = /^export \{ (.*) \};$/m.exec(content && "js" in content ? content.js : "") ?? [];
      return list.split(", ").map((one) => one.replace(/.* as /, ""));
    };
    expect(await exportsFor(["x"])).toEqual(["x"]);
    expect(await exportsFor(["z", "y"])).toEqual(["y", "z"]);
    expect(registry.requests).toHaveLength(2);
  });

  it("is empty for a package that a browser is to do without", async () => {
    const registry = await fakeRegistry([
      { manifest: { ...B.manifest, browser: { "./index.js": false } }, files: B.files },
    ]);
    const request = requestOf({ specifiers: ["b"], needs: { b: "*" }, target: "browser", conditions: ["browser"] });
    const { modules, imports, problems } = await bundlerOf(registry).bundle(request);
    expect(problems).toEqual([]);
    expect(modules.get(imports.get("b") ?? "")).toEqual({ js: "export default {};\n" });
  });

  it("tells how far it is", async () => {
    const told: DependencyProgress[] = [];
    await bundlerOf(await fakeRegistry([WITH_B, B])).bundle(
      requestOf({ onProgress: (progress) => told.push(progress) }),
    );
    expect(told.map(({ package: name, step, ready, known }) => `${name} ${step} ${ready}/${known}`)).toEqual([
      "a resolve 0/0",
      "a@1.0.0 download 0/1",
      "a@1.0.0 unpack 0/1",
      "a@1.0.0 bundle 0/1",
      "a@1.0.0 ready 1/1",
      "b@1.2.0 download 1/2",
      "b@1.2.0 unpack 1/2",
      "b@1.2.0 bundle 1/2",
      "b@1.2.0 ready 2/2",
    ]);
  });

  it("finds the file and line of a package that a line is from", async () => {
    const files = { "index.js": "'x';\nexports.b = 1;\nexports.c = () => {\n  throw new Error();\n};" };
    const made = await bundlerOf(await fakeRegistry([{ ...B, files }])).bundle(
      requestOf({ specifiers: ["b"], needs: { b: "*" } }),
    );
    const [name = "", content] =
      [...made.modules].find(([, module]) => "js" in module && module.js.includes("throw new Error();")) ?? [];
    const lines = content && "js" in content ? content.js.split("\n") : [];
    const line = lines.findIndex((one) => one.includes("throw new Error();")) + 1;
    expect(made.locate?.(name, line)).toEqual({ path: "node_modules/b/index.js", line: 4 });
    expect(made.locate?.(name, 1)).toBeUndefined();
    expect(made.locate?.("src/index.js", 1)).toBeUndefined();
  });

  it("ends with the signal", async () => {
    const controller = new AbortController();
    const registry = await fakeRegistry([WITH_B, B]);
    const onProgress = ({ step }: DependencyProgress): void => {
      if (step === "bundle") controller.abort(new Error("enough"));
    };
    const bundling = bundlerOf(registry).bundle(requestOf({ signal: controller.signal, onProgress }));
    await expect(bundling).rejects.toThrow("enough");
    expect(registry.requests).toHaveLength(2);
  });
});

describe("versions", () => {
  const versions = ["1.0.0", "1.5.0", "2.0.0", "3.0.0-beta.1"].map((version) => ({
    ...B,
    manifest: { name: "b", version },
  }));

  it.each([
    { range: "^1.0.0", gives: "1.5.0" },
    { range: "1", gives: "1.5.0" },
    { range: "1.0.0", gives: "1.0.0" },
    { range: "*", gives: "2.0.0" },
    { range: "latest", gives: "2.0.0" },
    { range: "", gives: "2.0.0" },
    { range: ">=1", gives: "2.0.0" },
    { range: "^3.0.0-beta", gives: "3.0.0-beta.1" },
    { range: "npm:b@^1", gives: "1.5.0" },
  ])("of the range $range is $gives", async ({ range, gives }) => {
    const registry = await fakeRegistry([...versions.slice(0, 2), ...versions.slice(3), ...versions.slice(2, 3)]);
    const { imports } = await bundlerOf(registry).bundle(requestOf({ specifiers: ["b"], needs: { b: range } }));
    expect(imports.get("b")).toContain(`/b@${gives}/`);
  });

  it("are those of the app for its packages too, where they suit", async () => {
    const registry = await fakeRegistry([WITH_B, ...versions]);
    const { modules } = await bundlerOf(registry).bundle(
      requestOf({ specifiers: ["a", "b"], needs: { a: "*", b: "1.0.0" } }),
    );
    expect([...modules.keys()].filter((name) => name.includes("/b@")).every((name) => name.includes("b@1.0.0"))).toBe(
      true,
    );
  });

  it("of peers are brought in, and of optional ones where the app has them", async () => {
    const peers = { b: "^1.0.0", c: "^1.0.0" };
    const manifest = { ...A.manifest, peerDependencies: peers, peerDependenciesMeta: { c: { optional: true } } };
    const files = { "index.js": `try { require("b"); require("c"); } catch {}` };
    const registry = await fakeRegistry([{ manifest, files }, B, { ...B, manifest: { name: "c", version: "1.0.0" } }]);
    const namesFor = async (needs: Record<string, string>): Promise<string> =>
      [...(await bundlerOf(registry).bundle(requestOf({ needs }))).modules.keys()].join(" ");
    expect(await namesFor({ a: "*" })).toContain("/b@");
    expect(await namesFor({ a: "*" })).not.toContain("/c@");
    expect(await namesFor({ a: "*", c: "*" })).toContain("/c@");
  });

  it("of a package differ from the app's where they have to", async () => {
    const registry = await fakeRegistry([WITH_B, ...versions]);
    const { modules } = await bundlerOf(registry).bundle(
      requestOf({ specifiers: ["a", "b"], needs: { a: "*", b: "2.0.0" } }),
    );
    const names = [...modules.keys()].join(" ");
    expect(names).toContain("b@1.5.0");
    expect(names).toContain("b@2.0.0");
  });
});

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
      says: /no package x at registry\.test/,
    },
    {
      title: "a version that is not there",
      request: { needs: { a: "^7" } },
      says: /no package a@\^7\. Its newest version is 1\.0\.0/,
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
      { message: `No answer from ${REGISTRY}/a: offline.` },
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
      { message: expect.stringMatching(/The package b@1\.2\.0 was refused: its integrity is sha512-/) },
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

describe("registries", () => {
  it("are those of .npmrc, with a token for the host that it names", async () => {
    const registry = await fakeRegistry([{ ...B, manifest: { name: "@s/b", version: "1.0.0" } }]);
    const npmrc = `@s:registry=${REGISTRY}/\n//registry.test/:_authToken=secret\n//other.test/:_authToken=other\n`;
    const bundler = createDependencyBundler({
      egress: registry.egress,
      cache: memoryCache(1_000_000),
      registry: "https://nowhere.test",
    });
    const { problems } = await bundler.bundle(requestOf({ specifiers: ["@s/b"], needs: { "@s/b": "1" }, npmrc }));
    expect(problems).toEqual([]);
    expect(registry.requests.map(({ headers }) => headers?.["authorization"])).toEqual([
      "Bearer secret",
      "Bearer secret",
    ]);
  });

  it("take the place of the public one in a lockfile, and get no token of another", async () => {
    const registry = await fakeRegistry([B]);
    const integrity = await integrityOf(registry.answers.get("/b/-/b-1.2.0.tgz") as Uint8Array<ArrayBuffer>);
    const npmrc = "//other.test/:_authToken=other";
    const request = requestOf({ specifiers: ["b"], lockfile: await lockOf(["b", "1.2.0", integrity]), npmrc });
    expect((await bundlerOf(registry).bundle(request)).problems).toEqual([]);
    expect(registry.requests.map(({ url }) => url)).toEqual([`${REGISTRY}/b/-/b-1.2.0.tgz`]);
    expect(registry.requests[0]?.headers).not.toHaveProperty("authorization");
  });
});
