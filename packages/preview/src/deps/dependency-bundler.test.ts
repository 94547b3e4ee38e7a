import { describe, expect, it } from "vitest";
import { memoryCache } from "./cache/memory-cache.ts";
import type { Dependencies, DependencyProgress } from "./dependencies.ts";
import { createDependencyBundler } from "./dependency-bundler.ts";
import { A, B, bundlerOf, lockOf, requestOf, WITH_B } from "./with-bundler.ts";
import { fakeRegistry, integrityOf, REGISTRY } from "./with-registry.ts";

function textOf({ modules }: Dependencies): string {
  return JSON.stringify([...modules]);
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
