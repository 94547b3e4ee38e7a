import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEgress } from "../web/egress.ts";
import { changePackages, type ProjectFiles } from "./change-packages.ts";
import type { Manifest } from "./manifest.ts";
import { parseNpm } from "./parse-npm.ts";
import { createRegistry } from "./registry.ts";
import { answerAsRegistry, type Published } from "./with-registry.ts";

const hasNpm = spawnSync("npm", ["--version"]).status === 0;

let server: Server;
let host = "";
/** Each scenario has a registry of its own, by the first part of the path. */
const registries: Published[] = [];

beforeAll(async () => {
  server = createServer(({ url = "/", headers }, response) => {
    const [, id = "", path = ""] = /^\/(\d+)(\/.*)$/.exec(url) ?? [];
    const answer = answerAsRegistry(registries[Number(id)] ?? {}, `http://${host}/${id}`, path, headers.accept ?? "");
    response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The address of a registry with these packages. */
function publish(packages: Published): string {
  return `http://${host}/${registries.push(packages) - 1}`;
}

/** What npm makes of the files, one command after another. */
async function real(address: string, start: ProjectFiles, commands: readonly string[]): Promise<ProjectFiles[]> {
  const folder = mkdtempSync(join(tmpdir(), "npm-"));
  const project = join(folder, "workspace");
  const read = (name: string): string | undefined => {
    const path = join(project, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  try {
    spawnSync("mkdir", [project]);
    if (start.manifest !== undefined) writeFileSync(join(project, "package.json"), start.manifest);
    if (start.lock !== undefined) writeFileSync(join(project, "package-lock.json"), start.lock);
    const results: ProjectFiles[] = [];
    for (const command of commands) {
      const options = ["--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", `--registry=${address}`];
      await npm([...command.split(" "), ...options, `--cache=${join(folder, "cache")}`], project);
      results.push({ manifest: read("package.json"), lock: read("package-lock.json") });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args: readonly string[], cwd: string): Promise<void> {
  const env = { PATH: process.env["PATH"], HOME: cwd, npm_config_update_notifier: "false" };
  return new Promise((resolve, reject) => {
    execFile("npm", args, { cwd, env }, (error, _stdout, stderr) => (error ? reject(new Error(stderr)) : resolve()));
  });
}

async function ours(address: string, start: ProjectFiles, commands: readonly string[]): Promise<ProjectFiles[]> {
  const signal = new AbortController().signal;
  const egress = createEgress({ gate: { require: () => {} }, localHosts: [host] });
  let files = start;
  const results: ProjectFiles[] = [];
  for (const command of commands) {
    const change = parseNpm(command.split(" "));
    if (!change) throw new Error(`not for us: ${command}`);
    const { manifest, lock } = await changePackages(
      files,
      change,
      createRegistry({ egress, signal, addressOf: () => address }),
    );
    files = { manifest, lock };
    results.push(files);
  }
  return results;
}

const simple: Published = {
  a: {
    "1.0.0": { dependencies: { b: "^1.0.0" }, bin: "./cli.js" },
    "1.1.0": {
      dependencies: { b: "^1.0.0" },
      bin: { "a-cli": "./cli.js", "a-two": "bin/two.js" },
      engines: { node: ">=18" },
    },
    "2.0.0": { dependencies: { b: "^2.0.0", c: "*" }, funding: { url: "https://fund.example" } },
    "3.0.0-beta.1": {},
  },
  b: { "1.0.0": {}, "1.2.0": { dependencies: { c: "~1.0.0" } }, "2.0.0": { license: "ISC" } },
  c: { "1.0.0": {}, "1.0.5": { deprecated: "use d" }, "1.1.0": { optionalDependencies: { e: "1" } } },
  d: { "1.0.0": { dependencies: { a: "^1.0.0", b: "2" } } },
  e: { "1.0.0": { os: ["darwin"], cpu: ["x64"], scripts: { postinstall: "node x" } } },
  "@s/pkg": { "0.1.0": {}, "0.1.5": {}, "0.2.0": { dependencies: { "@s/other": "^1.0.0" } } },
  "@s/other": { "1.0.0": { dependencies: { a: "1.0.0" } } },
  old: { "1.0.0": {}, "1.5.0": { engines: { node: ">=99" } } },
};

const peers: Published = {
  react: {
    "17.0.0": {},
    "18.0.0": { dependencies: { loose: "^1.0.0" } },
    "18.2.0": { dependencies: { loose: "^1.0.0" } },
    "19.0.0": {},
  },
  loose: { "1.4.0": {} },
  dom: {
    "17.0.0": { peerDependencies: { react: "^17.0.0" } },
    "18.2.0": { peerDependencies: { react: "^18.2.0" }, dependencies: { loose: "^1.1.0", sched: "^1.0.0" } },
    "19.0.0": { peerDependencies: { react: "^19.0.0" } },
  },
  sched: { "1.0.0": {} },
  hook: { "1.0.0": { peerDependencies: { react: ">=17" }, peerDependenciesMeta: { types: { optional: true } } } },
  kit: {
    "1.0.0": {
      dependencies: { hook: "1" },
      peerDependencies: { types: "*", react: "*" },
      peerDependenciesMeta: { types: { optional: true } },
    },
  },
  types: { "18.0.0": {} },
};

const manifest = (more: object = {}): string =>
  `${JSON.stringify({ name: "shop", version: "1.0.0", ...more }, null, 2)}\n`;

interface Scenario {
  readonly name: string;
  readonly packages: Published;
  readonly manifest?: string;
  readonly commands: readonly string[];
}

const SCENARIOS: readonly Scenario[] = [
  {
    name: "funding in words of its own",
    packages: {
      a: {
        "1.0.0": { funding: "https://a.example", workspaces: ["x"] },
        "1.1.0": { funding: ["https://b.example", { url: "c" }] },
      },
    },
    manifest: manifest({ funding: "https://own.example" }),
    commands: ["i a@1.0.0", "i a"],
  },
  {
    name: "sections out of order",
    packages: simple,
    manifest: manifest({
      devDependencies: { c: "*", a: "1" },
      dependencies: { d: "1", "@s/pkg": "*" },
      peerDependencies: { old: "1", b: "1" },
    }),
    commands: ["i @s/other"],
  },
  { name: "no package.json", packages: simple, commands: ["install a"] },
  { name: "one", packages: simple, manifest: manifest(), commands: ["install a"] },
  { name: "a range", packages: simple, manifest: manifest(), commands: ["install a@^1.0.0 c@~1.0.0"] },
  { name: "a version and a tag", packages: simple, manifest: manifest(), commands: ["i a@1.0.0 b@next"] },
  { name: "a version before a release", packages: simple, manifest: manifest(), commands: ["i a@next"] },
  { name: "for development", packages: simple, manifest: manifest(), commands: ["i -D a b@1", "i c", "i a"] },
  { name: "exact", packages: simple, manifest: manifest(), commands: ["i -E a@1.0.0"] },
  {
    name: "optional",
    packages: simple,
    manifest: manifest({ optionalDependencies: { c: "^1.1.0", b: "1" } }),
    commands: ["i d", "rm b"],
  },
  {
    name: "moved between sections",
    packages: simple,
    manifest: manifest({ dependencies: { b: "^1.0.0" }, private: true }),
    commands: ["i -D b", "i -P b"],
  },
  { name: "nested versions", packages: simple, manifest: manifest(), commands: ["i d", "i a@2"] },
  {
    name: "an upgrade under a dependent",
    packages: simple,
    manifest: manifest(),
    commands: ["i a@1.0.0 d", "i b@2", "i a@latest"],
  },
  { name: "scopes", packages: simple, manifest: manifest(), commands: ["i @s/pkg@^0.1.0", "i @s/pkg@0.2.0"] },
  {
    name: "a removal",
    packages: simple,
    manifest: manifest({ scripts: { x: "y" } }),
    commands: ["i a d", "rm d", "uninstall a"],
  },
  {
    name: "what is listed already",
    packages: simple,
    manifest: manifest({ dependencies: { d: "^1.0.0" }, devDependencies: { "@s/pkg": "*" } }),
    commands: ["i c"],
  },
  { name: "engines", packages: simple, manifest: manifest(), commands: ["i old@^1.0.0", "i old"] },
  { name: "deprecated", packages: simple, manifest: manifest(), commands: ["i c@~1.0.0"] },
  {
    name: "tabs, a license, keys in an order of their own",
    packages: simple,
    manifest: '{\n\t"private": true,\n\t"dependencies": {},\n\t"license": "MIT",\n\t"name": "own-order"\n}\n',
    commands: ["i b", "i -D c"],
  },
  { name: "CRLF", packages: simple, manifest: '{\r\n    "name": "crlf"\r\n}\r\n', commands: ["i b"] },
  { name: "no final newline", packages: simple, manifest: '{\n  "name": "x"\n}', commands: ["i b"] },
  { name: "peers", packages: peers, manifest: manifest(), commands: ["i dom@18", "i react@18.2.0", "i hook"] },
  { name: "peers in any order", packages: peers, manifest: manifest(), commands: ["i react@18 dom@18 hook"] },
  {
    name: "peers of dependencies",
    packages: peers,
    manifest: manifest({ dependencies: { react: "^18.0.0" } }),
    commands: ["i kit", "i -D types"],
  },
  {
    name: "peers that are there",
    packages: peers,
    manifest: manifest({ dependencies: { react: "^17.0.0" } }),
    commands: ["i dom@17 hook"],
  },
];

describe.skipIf(!hasNpm).concurrent("writes what npm writes", () => {
  test.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    "%s",
    async (_name, scenario) => {
      const address = publish(scenario.packages);
      const start = { manifest: scenario.manifest, lock: undefined };
      const [theirs, mine] = [
        await real(address, start, scenario.commands),
        await ours(address, start, scenario.commands),
      ];
      for (const [at, command] of scenario.commands.entries()) {
        expect({ command, ...mine[at] }).toEqual({ command, ...theirs[at] });
      }
    },
    60_000,
  );
});

/** Numbers from 0 up to `below`, the same ones for a seed. */
function chance(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return (state >>> 8) % below;
  };
}

/** A registry, a project and commands by chance. `withPeers` has packages that want others beside them. */
function byChance(seed: number, withPeers: boolean): Scenario {
  const pick = chance(seed);
  const names = ["ant", "bee", "cat", "dog", "eel", "fox", "gnu"];
  const ranges = ["^1.0.0", "~1.1.0", "^2.0.0", "*", ">=1.1.0", "1.0.0", "1.x || 2.x"];
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const packages: Record<string, Record<string, Manifest>> = {};
  for (const [at, name] of names.entries()) {
    const versions = ["1.0.0", "1.1.0", "1.1.1", "2.0.0", "2.1.0"].slice(0, 2 + pick(4));
    const later = names.slice(at + 1);
    packages[name] = Object.fromEntries(
      versions.map((version) => {
        const dependencies = Object.fromEntries(later.filter(() => pick(3) === 0).map((other) => [other, one(ranges)]));
        const peer = withPeers && pick(4) === 0 && later.length > 0 ? one(later) : undefined;
        const { [peer ?? ""]: _peer, ...others } = dependencies;
        return [version, { dependencies: others, ...(peer ? { peerDependencies: { [peer]: ">=1.0.0" } } : {}) }];
      }),
    );
  }
  const fitting = (name: string): string => {
    const version = one(Object.keys(packages[name] ?? {}));
    return one([name, `${name}@${version}`, `${name}@^${version.slice(0, 1)}`]);
  };
  const commands = [`i ${fitting("ant")} ${fitting("bee")}`, `i -D ${fitting(one(names))}`, `i ${fitting(one(names))}`];
  return { name: `seed ${seed}`, packages, manifest: manifest(), commands: [...commands, "rm ant"] };
}

const FROM = Number(process.env["TENREC_SEED"] ?? 1);
const SEEDS = Array.from({ length: Number(process.env["TENREC_SEEDS"] ?? 2) }, (_, n) => FROM + n);

/** The error of a run that has one, in place of its files. */
async function outcomeOf(run: Promise<ProjectFiles[]>): Promise<ProjectFiles[] | "refused"> {
  try {
    return await run;
  } catch (error) {
    if (!/ETARGET|ERESOLVE|does not fit|wants|contradict/.test(String(error))) throw error;
    return "refused";
  }
}

describe.skipIf(!hasNpm).each([false, true])("writes what npm writes, by chance, with peers: %s", (withPeers) => {
  test.each(SEEDS)("seed %i", { timeout: 60_000 }, async (seed) => {
    const scenario = byChance(seed, withPeers);
    const address = publish(scenario.packages);
    const start = { manifest: scenario.manifest, lock: undefined };
    const theirs = await outcomeOf(real(address, start, scenario.commands));
    const mine = await outcomeOf(ours(address, start, scenario.commands));
    // Where peers are in question, it may leave to npm what npm can do.
    if (withPeers && mine === "refused") return;
    expect(mine).toEqual(theirs);
  });
});
