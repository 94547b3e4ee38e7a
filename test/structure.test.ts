import { builtinModules } from "node:module";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { arrows, testArrows } from "./structure/arrows.ts";
import { findCommands } from "./structure/find-commands.ts";
import { listFiles, readText, readTextIfAny } from "./structure/list-files.ts";
import { entryFiles, listPackages, readManifest } from "./structure/manifest.ts";
import { readModule } from "./structure/read-module.ts";

const packages = listPackages();
const isTest = (path: string) => /\.test(-d)?\.tsx?$|\/with-[^/]+$/.test(path);
const sourcesOf = (name: string) => listFiles(`packages/${name}/src`, /\.tsx?$/);
const allSources = packages.flatMap(sourcesOf);
const countLines = (text: string) => text.trimEnd().split("\n").length;

test("the table of arrows names exactly the packages that exist", () => {
  expect(packages.toSorted()).toEqual(Object.keys(arrows).toSorted());
});

describe.each(packages)("imports of %s", (name) => {
  const manifest = readManifest(`packages/${name}`);
  const allowed = (arrows[name] ?? []).map((other) => `@tenrec/${other}`);
  const forTests = [...testArrows.all, ...(testArrows[name] ?? []), name].map((other) => `@tenrec/${other}`);
  const runtimeDependencies = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  const testDependencies = [
    ...Object.keys({ ...manifest.devDependencies, ...readManifest(".").devDependencies }),
    // A package may import itself by its name.
    `@tenrec/${name}`,
  ];

  test("there are sources", () => {
    expect(sourcesOf(name)).not.toEqual([]);
  });

  test("package.json depends only on the packages it may import", () => {
    const own = (dependencies = {}) => Object.keys(dependencies).filter((key) => key.startsWith("@tenrec/"));
    expect(own(manifest.dependencies).filter((key) => !allowed.includes(key))).toEqual([]);
    expect(own(manifest.devDependencies).filter((key) => ![...allowed, ...forTests].includes(key))).toEqual([]);
  });

  test("every import follows the arrows and is a dependency", () => {
    const wrong = sourcesOf(name).flatMap((path) => {
      const { imports, computedImports } = readModule(path);
      const arrowsHere = isTest(path) ? [...allowed, ...forTests] : allowed;
      const dependencies = isTest(path) ? [...runtimeDependencies, ...testDependencies] : runtimeDependencies;
      const isWrong = (specifier: string) => {
        if (specifier.startsWith(".")) return !isTest(path) && !isInside(`packages/${name}/src`, path, specifier);
        if (/^(node|cloudflare):/.test(specifier) || builtinModules.includes(specifier)) return false;
        const owner = packageOf(specifier);
        if (owner.startsWith("@tenrec/") && !arrowsHere.includes(owner)) return true;
        return !dependencies.includes(owner);
      };
      return [...imports.filter(isWrong), ...computedImports].map((specifier) => `${path} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe("files", () => {
  test("no source has more than 400 lines", () => {
    const sizes = allSources
      .filter((path) => !isTest(path))
      .map((path) => ({ path, lines: countLines(readText(path)) }));
    const median = sizes.map(({ lines }) => lines).toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)];
    console.log(
      `${sizes.length} sources, median ${median} lines${(median ?? 0) > 100 ? ", above the aim of 100" : ""}`,
    );
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter(({ lines }) => lines > 400)).toEqual([]);
  });

  test("names say what is inside", () => {
    const vague = /(^|\/)(utils?|helpers?|common|misc|shared)(\.|\/)/;
    const files = ["packages", "scripts", "test", "examples"].flatMap((folder) => listFiles(folder, /\.(tsx?|mjs)$/));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => vague.test(path))).toEqual([]);
  });

  test("only the index.ts of an export re-exports, and it does nothing else", () => {
    const entries = packages.flatMap((name) => [...entryFiles(name)]).toSorted();
    expect(allSources.filter((path) => path.endsWith("/index.ts"))).toEqual(entries);
    const others = allSources.filter((path) => !entries.includes(path));
    expect(others.filter((path) => readModule(path).reExports.length > 0)).toEqual([]);
    expect(entries.filter((path) => readModule(path).hasOwnExports)).toEqual([]);
  });
});

describe("tools", () => {
  const toolExports = (path: string) => readModule(path).exports.filter((name) => /^create[A-Z]\w*Tool$/.test(name));
  const sources = listFiles("packages/tools/src", /\.ts$/).filter(
    (path) => !isTest(path) && !path.endsWith("/index.ts"),
  );
  // `createCodingTool` is what the tools are made with.
  const toolFiles = sources.filter((path) => toolExports(path).some((name) => name !== "createCodingTool"));

  test("the tools that every host has are there", () => {
    const names = toolFiles.map((path) => path.replace(/^.*\/|\.ts$/g, ""));
    const expected = ["read", "write", "edit", "apply-patch", "ls", "glob", "grep", "bash", "todo", "web-fetch"];
    expect(names).toEqual(expect.arrayContaining(expected));
  });

  test.each(toolFiles)("%s holds one tool, and its test stands beside it", (path) => {
    expect(toolExports(path)).toHaveLength(1);
    expect(readTextIfAny(path.replace(/\.ts$/, ".test.ts")) ?? "").toMatch(/\b(test|it)(\.each)?\(/);
  });
});

describe("documents", () => {
  const documents = ["packages", "examples", "docs"]
    .flatMap((folder) => listFiles(folder, /\.md$/))
    .concat(["README.md", "AGENTS.md", "ARCHITECTURE.md"].filter((path) => readTextIfAny(path)));

  test("AGENTS.md has at most 120 lines", () => {
    expect(countLines(readTextIfAny("AGENTS.md") ?? "")).toBeLessThanOrEqual(120);
  });

  test("README.md names the six files to read first, and they exist", () => {
    const files = [
      "protocol/src/events.ts",
      "protocol/src/engine.ts",
      "runtime/src/loop.ts",
      "tools/src/edit/edit.ts",
      "vfs/src/commit.ts",
      "runtime/src/coding-agent.ts",
    ];
    const readme = readTextIfAny("README.md") ?? "";
    expect(files.filter((file) => !readme.includes(file))).toEqual([]);
    expect(files.filter((file) => readTextIfAny(`packages/${file}`) === undefined)).toEqual([]);
  });

  test.each(documents)("the commands in %s are scripts of a package.json", (path) => {
    const scripts = ["", ...ancestors(path)].flatMap((folder) =>
      readTextIfAny(join(folder, "package.json")) ? Object.keys(readManifest(folder).scripts ?? {}) : [],
    );
    expect(findCommands(readText(path)).filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

test("commands are found where a reader would copy them from", () => {
  const text = "Run `npm test -- edit` or `pnpm install`:\n```sh\n$ npm start\npnpm run bench vfs\n```\nnpm is a tool.";
  expect(findCommands(text)).toEqual(["test", "start", "bench"]);
});

function isInside(folder: string, from: string, specifier: string): boolean {
  return normalize(join(dirname(from), specifier)).startsWith(`${folder}/`);
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function ancestors(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? [] : [...ancestors(folder), folder];
}
