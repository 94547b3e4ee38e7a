import { describe, expect, it } from "vitest";
import type { PackageVersion } from "./package-source.ts";
import { readLockfile } from "./read-lockfile.ts";

const SHA1 = "0beec7b5ea3f0fdbc95d0dd47f3c5bc275da8a33";
const { signal } = new AbortController();

/** The same packages in each format: `a` needs `b` 2, the app has `b` 1, and calls `@s/real` by the name `other`. */
const LOCKFILES: Record<string, { name: string; text: string }> = {
  "npm 3": {
    name: "package-lock.json",
    text: JSON.stringify({
      lockfileVersion: 3,
      packages: {
        "": { dependencies: { a: "^1.0.0", b: "^1.0.0" } },
        "node_modules/a": { version: "1.0.0", resolved: "https://r.test/a.tgz", integrity: "sha512-a" },
        "node_modules/a/node_modules/b": {
          version: "2.0.0",
          resolved: "https://r.test/b2.tgz",
          integrity: "sha512-b2",
        },
        "node_modules/b": { version: "1.0.0", resolved: "https://r.test/b1.tgz", integrity: "sha512-b1" },
        "node_modules/other": {
          name: "@s/real",
          version: "3.0.0",
          resolved: "https://r.test/s.tgz",
          integrity: "sha512-s",
        },
        "node_modules/local": { resolved: "libs/local", link: true },
      },
    }),
  },
  "npm 1": {
    name: "package-lock.json",
    text: JSON.stringify({
      lockfileVersion: 1,
      dependencies: {
        a: {
          version: "1.0.0",
          resolved: "https://r.test/a.tgz",
          integrity: "sha512-a",
          dependencies: { b: { version: "2.0.0", resolved: "https://r.test/b2.tgz", integrity: "sha512-b2" } },
        },
        b: { version: "1.0.0", resolved: "https://r.test/b1.tgz", integrity: "sha512-b1" },
        other: { version: "npm:@s/real@3.0.0", resolved: "https://r.test/s.tgz", integrity: "sha512-s" },
        local: { version: "file:libs/local" },
      },
    }),
  },
  "pnpm 9": {
    name: "pnpm-lock.yaml",
    text: `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a: {specifier: ^1.0.0, version: 1.0.0(b@1.0.0)}
      b: {specifier: ^1.0.0, version: 1.0.0}
      local: {specifier: link:libs/local, version: link:libs/local}
      other: {specifier: 'npm:@s/real@3', version: '@s/real@3.0.0'}
packages:
  '@s/real@3.0.0': {resolution: {integrity: sha512-s}}
  a@1.0.0: {resolution: {integrity: sha512-a}}
  b@1.0.0: {resolution: {integrity: sha512-b1}}
  b@2.0.0: {resolution: {integrity: sha512-b2}}
snapshots:
  '@s/real@3.0.0': {}
  a@1.0.0(b@1.0.0):
    dependencies: {b: 2.0.0}
  b@1.0.0: {}
  b@2.0.0: {}
`,
  },
  "pnpm 6": {
    name: "pnpm-lock.yaml",
    text: `lockfileVersion: '6.0'
dependencies:
  a: {specifier: ^1.0.0, version: 1.0.0}
  b: {specifier: ^1.0.0, version: 1.0.0}
  local: {specifier: link:libs/local, version: link:libs/local}
  other: {specifier: 'npm:@s/real@3', version: /@s/real@3.0.0}
packages:
  /@s/real@3.0.0: {resolution: {integrity: sha512-s}}
  /a@1.0.0: {resolution: {integrity: sha512-a}, dependencies: {b: 2.0.0}}
  /b@1.0.0: {resolution: {integrity: sha512-b1}}
  /b@2.0.0: {resolution: {integrity: sha512-b2}}
`,
  },
  "yarn 1": {
    name: "yarn.lock",
    text: `# yarn lockfile v1

a@^1.0.0:
  version "1.0.0"
  resolved "https://r.test/a.tgz#${SHA1}"
  integrity sha512-a
  dependencies:
    b "^2.0.0"

b@^1.0.0, b@^1.0.1:
  version "1.0.0"
  resolved "https://r.test/b1.tgz#${SHA1}"
  integrity sha512-b1

b@^2.0.0:
  version "2.0.0"
  resolved "https://r.test/b2.tgz#${SHA1}"
  integrity sha512-b2

"other@npm:@s/real@3":
  version "3.0.0"
  resolved "https://r.test/s.tgz#${SHA1}"
  integrity sha512-s

"local@file:libs/local":
  version "0.0.0"
`,
  },
  "yarn 4": {
    name: "yarn.lock",
    text: `__metadata:
  version: 8

"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  dependencies:
    b: "npm:^2.0.0"
  checksum: 10c0/aa

"b@npm:^1.0.0, b@npm:^1.0.1":
  version: 1.0.0
  resolution: "b@npm:1.0.0"

"b@npm:^2.0.0":
  version: 2.0.0
  resolution: "b@npm:2.0.0"

"other@npm:@s/real@3":
  version: 3.0.0
  resolution: "@s/real@npm:3.0.0"

"local@file:libs/local":
  version: 0.0.0
  resolution: "local@file:libs/local#1"
`,
  },
  bun: {
    name: "bun.lock",
    text: `{
  "lockfileVersion": 1,
  "workspaces": { "": { "dependencies": { "a": "^1.0.0", }, }, },
  "packages": {
    "a": ["a@1.0.0", "", { "dependencies": { "b": "^2.0.0" } }, "sha512-a"],
    "b": ["b@1.0.0", "", {}, "sha512-b1"],
    "a/b": ["b@2.0.0", "", {}, "sha512-b2"],
    "other": ["@s/real@3.0.0", "", {}, "sha512-s"],
    "local": ["local@file:libs/local", {}],
  },
}`,
  },
};
const RANGES = new Map([
  ["a", "^1.0.0"],
  ["b", "^1.0.0"],
  ["other", "npm:@s/real@3"],
  ["local", "file:libs/local"],
]);
/** These say nothing of tarballs. */
const WITHOUT_INTEGRITY = "yarn 4";

function shown(version: PackageVersion | undefined): string {
  return version ? `${version.name}@${version.version} ${version.integrity ?? ""}`.trim() : "none";
}

describe.each(Object.entries(LOCKFILES))("the lockfile of %s", (format, file) => {
  const source = readLockfile(file, RANGES);
  const integrity = (text: string): string => (format === WITHOUT_INTEGRITY ? text.replace(/ .*/, "") : text);

  it("gives the app its versions", async () => {
    expect(shown(await source.find(undefined, "a", signal))).toBe(integrity("a@1.0.0 sha512-a"));
    expect(shown(await source.find(undefined, "b", signal))).toBe(integrity("b@1.0.0 sha512-b1"));
  });

  it("gives a package the versions that it needs itself", async () => {
    const a = await source.find(undefined, "a", signal);
    expect(shown(await source.find(a, "b", signal))).toBe(integrity("b@2.0.0 sha512-b2"));
  });

  it("knows the real name of an alias", async () => {
    expect(shown(await source.find(undefined, "other", signal))).toBe(integrity("@s/real@3.0.0 sha512-s"));
  });

  it("has nothing for a name that it does not have", async () => {
    expect(await source.find(undefined, "nothing", signal)).toBeUndefined();
    expect(await source.find(await source.find(undefined, "a", signal), "nothing", signal)).toBeUndefined();
  });

  it("refuses by name what is not in a registry", async () => {
    const error = await (async () => source.find(undefined, "local", signal))().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unsupported", message: expect.stringContaining("local") });
  });
});

describe("readLockfile", () => {
  it.each([
    { name: "package-lock.json", text: "{", code: "EINVAL" },
    { name: "pnpm-lock.yaml", text: "a: [", code: "EINVAL" },
    { name: "pnpm-lock.yaml", text: "lockfileVersion: 5.4", code: "unsupported" },
    { name: "bun.lock", text: "{", code: "EINVAL" },
    { name: "bun.lockb", text: "", code: "unsupported" },
  ])("refuses $name with $text", ({ name, text, code }) => {
    expect(() => readLockfile({ name, text }, RANGES)).toThrow(expect.objectContaining({ code }));
  });

  // So long that nothing but time linear to the length comes to an end.
  it.each([
    ["yarn.lock", `"a@^1.0.0, ${"@npm:".repeat(200_000)}@":\n  version "1.0.0"\n  resolved "https://r.test/a.tgz"\n`],
    ["yarn.lock", `"${"@npm:".repeat(200_000)}@, a@^1.0.0":\n  version "1.0.0"\n  resolved "https://r.test/a.tgz"\n`],
    ["yarn.lock", `${"x".repeat(1_000_000)}\na${" ".repeat(300_000)}b\u2028c\n`],
    ["yarn.lock", `__metadata:\n${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join("")}`],
    ["pnpm-lock.yaml", `lockfileVersion: "9.0"\npackages: {}\nsnapshots: {}\n${"(".repeat(300_000)}: 1\n`],
    ["pnpm-lock.yaml", `a: [${",".repeat(20_000)}`],
    ["pnpm-lock.yaml", "{".repeat(100_000)],
    ["pnpm-lock.yaml", "- ".repeat(100_000)],
    ["pnpm-lock.yaml", `a: ]${"]".repeat(1000)}\nb: ${"[".repeat(2000)}`],
    ["pnpm-lock.yaml", `${"{".repeat(40)}${"}".repeat(40)}\n`.repeat(50)],
    ["pnpm-lock.yaml", Array.from({ length: 500 }, (_, at) => `${" ".repeat(at)}a:\n`).join("")],
    ["package-lock.json", JSON.stringify({ dependencies: { a: { version: `npm:${"@".repeat(300_000)}\nx` } } })],
    ["bun.lock", "[".repeat(100_000)],
    ["bun.lock", JSON.stringify({ packages: { [`@${"a/".repeat(150_000)}`]: [] } })],
  ])("comes to an end with hostile text %# in a %s", async (name, text) => {
    const found = await (async () => readLockfile({ name, text }, RANGES).find(undefined, "a", signal))().catch(
      (thrown: unknown) => thrown,
    );
    expect(found === undefined || typeof found === "object").toBe(true);
  });

  it.each([
    ["a: [", "(line 1)"],
    ["a: 1\n? [b]\n: 2\n", "keys must be strings (line 2)"],
    [`a: ${"[".repeat(100)}`, "it nests too deep"],
    [`${"? ".repeat(100)}a`, "it nests too deep"],
  ])("says of YAML what is wrong with %j", (text, message) => {
    expect(() => readLockfile({ name: "pnpm-lock.yaml", text }, RANGES)).toThrow(message);
  });

  it("takes as many packages on one line as there are", () => {
    const packages = Array.from({ length: 500 }, (_, at) => `a${at}: {}`).join(", ");
    const text = `lockfileVersion: "9.0"\npackages: { ${packages} }\nsnapshots: {}\n`;
    expect(() => readLockfile({ name: "pnpm-lock.yaml", text }, RANGES)).not.toThrow();
  });

  it("takes a SHA-1 from Yarn 1 where there is nothing better", async () => {
    const text = LOCKFILES["yarn 1"]?.text.replaceAll(/ {2}integrity .*\n/g, "") ?? "";
    const found = await readLockfile({ name: "yarn.lock", text }, RANGES).find(undefined, "a", signal);
    expect(found?.integrity).toBe("sha1-C+7Hteo/D9vJXQ3UfzxbwnXaijM=");
  });

  it.each(["[]", "null", "7", '{"packages":7}', '{"packages":{"node_modules/a":7}}'])("survives %s", async (text) => {
    const source = readLockfile({ name: "package-lock.json", text }, RANGES);
    const found = await (async () => source.find(undefined, "a", signal))().catch((thrown: unknown) => thrown);
    expect(found === undefined || (found as { code?: string }).code === "unsupported").toBe(true);
  });
});
