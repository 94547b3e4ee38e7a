import { expect, it } from "vitest";
import { bundlerOf, requestOf } from "./with-bundler.ts";
import { ask } from "./with-loader.workers.ts";
import { fakeRegistry } from "./with-registry.ts";

/** What an app is told that uses a package of this file, which gives `it`. */
async function told(file: string): Promise<string> {
  const manifest = { name: "p", version: "1.0.0", dependencies: { bindings: "*" } };
  const bindings = {
    manifest: { name: "bindings", version: "1.0.0" },
    files: { "index.js": "module.exports = () => 0;" },
  };
  const registry = await fakeRegistry([{ manifest, files: { "index.js": file } }, bindings]);
  const dependencies = await bundlerOf(registry).bundle(requestOf({ specifiers: ["p"], needs: { p: "1" } }));
  expect(dependencies.problems).toEqual([]);
  const source = `export default { async fetch() {
    try { return new Response((await import("p")).default.it); } catch (error) { return new Response(error.message); }
  } };`;
  return (await ask(source, dependencies)).text();
}

it.each([
  [`exports.it = require("./build/Release/p.node");`, "./build/Release/p.node"],
  [`exports.it = require("bindings")("p");`, "bindings"],
  [`exports.it = require("node-gyp-build")(__dirname);`, "node-gyp-build"],
])("a native addon is named: %s", async (file, specifier) => {
  expect(await told(file)).toBe(
    `p@1.0.0 is a native addon: index.js asks for ${specifier}, and a Worker runs JavaScript and WebAssembly only. Take another package in its place.`,
  );
});

it("a package that can do without its addon does", async () => {
  expect(await told(`try { exports.it = require("bindings")("p"); } catch { exports.it = "plain"; }`)).toBe("plain");
});
