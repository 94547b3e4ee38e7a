import type { Executor, Gate } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { recordingExecutor } from "../with-recording-executor.ts";
import { type Files, type TestTools, withTools } from "../with-tools.ts";
import { createEgress } from "../web/egress.ts";
import { answerAsRegistry, type Published } from "./with-registry.ts";

const packages: Published = {
  a: { "1.0.0": { dependencies: { b: "^1.0.0" } } },
  b: {
    "1.1.0": { deprecated: "use c", scripts: { postinstall: "x" } },
  },
  peer: { "1.0.0": { peerDependencies: { a: "^2.0.0" } } },
  "@own/x": { "1.0.0": {} },
};

interface World {
  readonly gate?: Gate;
  readonly executor?: Executor;
  readonly asked?: string[];
  readonly status?: number;
  readonly published?: Published;
}

/** A shell with a registry behind its way out. */
function withRegistry<T>(files: Files, run: (test: TestTools) => Promise<T>, world: World = {}): Promise<T> {
  const { gate = { require: () => {} }, asked = [], status, published = packages } = world;
  const effects: string[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    asked.push(url);
    const { origin, pathname } = new URL(url);
    const accept = new Headers(init.headers).get("accept") ?? "";
    const answer = answerAsRegistry(published, origin, pathname, accept);
    return new Response(answer.body, {
      status: status ?? answer.status,
      headers: { "content-type": answer.contentType },
    });
  };
  const ports = {
    gate,
    egress: createEgress({ fetch, gate }),
    onEffect: (target: string) => void effects.push(target),
    ...(world.executor ? { executors: [world.executor] } : {}),
  };
  return withTools(
    files,
    async (tools) => {
      const result = await run(tools);
      // To read what a registry has changes nothing there.
      if (!world.executor) expect(effects).toEqual([]);
      return result;
    },
    ports,
  );
}

const manifest = '{\n  "name": "shop"\n}\n';

describe("npm in bash", () => {
  test("installs a package: both files, and what a person should know", () =>
    withRegistry({ "/package.json": manifest }, async ({ call, fs }) => {
      const { text } = await call("bash", { command: "npm install a" });
      expect(text).toBe(
        "npm warn deprecated b@1.1.0: use c\nadded 2 packages\n" +
          "(package.json and package-lock.json are written; node_modules is not: it is made where the project runs)\n" +
          "(b@1.1.0 will run an install script there)",
      );
      expect(await fs.readFile("/package.json")).toBe(
        '{\n  "name": "shop",\n  "dependencies": {\n    "a": "^1.0.0"\n  }\n}\n',
      );
      const lock = JSON.parse(await fs.readFile("/package-lock.json")) as { packages: Record<string, object> };
      expect(lock.packages["node_modules/b"]).toEqual({
        version: "1.1.0",
        resolved: "https://registry.npmjs.org/b/-/b-1.1.0.tgz",
        integrity: expect.stringMatching(/^sha512-/),
        deprecated: "use c",
        hasInstallScript: true,
        license: "MIT",
      });
      expect(await fs.exists("/node_modules")).toBe(false);
    }));

  test("works in the folder that it is called in, and removes what it installed", () =>
    withRegistry({ "/app/package.json": manifest }, async ({ call, fs }) => {
      expect((await call("bash", { command: "cd app && npm i -D a && npm rm a" })).text).toContain(
        "removed 2 packages",
      );
      expect(await fs.readFile("/app/package.json")).toBe(manifest);
      expect(await fs.exists("/package.json")).toBe(false);
    }));

  test("asks the registry that .npmrc names, without its logins", () => {
    const asked: string[] = [];
    const npmrc =
      "registry=https://npm.example/\n@own:registry = https://own.example/r/\n//own.example/:_authToken=x\n";
    return withRegistry(
      { "/package.json": manifest, "/.npmrc": npmrc },
      async ({ call }) => {
        await call("bash", { command: "npm i a @own/x" });
        expect(asked.filter((url) => url.startsWith("https://npm.example/a"))).not.toEqual([]);
        expect(asked).toContain("https://own.example/r/@own%2fx");
      },
      { asked },
    );
  });

  test.each<[name: string, files: Files, command: string, text: RegExp]>([
    ["an unknown package", {}, "npm i nonsense", /npm error code E404\nnpm error 404 Not Found[^]*exit code 1/],
    ["an unknown version", {}, "npm i a@9", /npm error code ETARGET\nnpm error No matching version found for a@9/],
    ["a broken manifest", { "/package.json": "{" }, "npm i a", /npm error code EJSONPARSE/],
    ["a broken lockfile", { "/package-lock.json": "{" }, "npm i a", /EJSONPARSE[^]*repair or delete it/],
    [
      "peers",
      { "/package.json": '{"dependencies":{"a":"1"}}' },
      "npm i peer",
      /ERESOLVE[^]*needs a@"\^2\.0\.0"[^]*this takes the real npm/,
    ],
    ["workspaces", { "/package.json": '{"workspaces":["x"]}' }, "npm i a", /package\.json has workspaces; this takes/],
    ["another manager", { "/pnpm-lock.yaml": "" }, "npm i a", /pnpm-lock\.yaml is there, so pnpm looks after/],
    ["an old lockfile", { "/package-lock.json": '{"lockfileVersion":1}' }, "npm i a", /version 1, and only version 3/],
    ["a git dependency", {}, "npm i github:a/b", /npm needs an executor/],
    ["an install of all", {}, "npm install", /npm needs an executor[^]*`npm install <names>`/],
    ["another command", {}, "npm ci", /npm: command not found[^]*npm needs an executor/],
    ["pnpm", {}, "pnpm add a", /pnpm needs an executor[^]*Its lockfile is for it alone to write/],
  ])("says what stands against it: %s", (_name, files, command, text) =>
    withRegistry(files, async ({ call, fs }) => {
      const before = fs.tree;
      expect((await call("bash", { command })).text).toMatch(text);
      expect(fs.tree).toBe(before);
    }),
  );

  test.each([
    [401, /wants a login for a; this takes the real npm/],
    [500, /answers with status 500 for a; try again later/],
  ])("a registry that answers with %i", (status, text) =>
    withRegistry(
      { "/package.json": manifest },
      async ({ call, fs }) => {
        expect((await call("bash", { command: "npm i a" })).text).toMatch(text);
        expect(await fs.readFile("/package.json")).toBe(manifest);
      },
      { status },
    ),
  );

  test("of a name with very many versions, takes the latest, or the one that is named", () => {
    const directories = { doc: "x".repeat(1024 * 1024) };
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, n) => [`1.0.${n}`, { directories }]));
    const large = { large: { ...many, "2.0.0": {} } };
    return withRegistry(
      { "/package.json": manifest },
      async ({ call, fs }) => {
        expect((await call("bash", { command: "npm i large" })).text).toContain("added 1 package");
        expect(await fs.readFile("/package.json")).toContain('"large": "^2.0.0"');
        expect((await call("bash", { command: "npm i -E large@1.0.7" })).text).toContain("changed 1 package");
        expect(await fs.readFile("/package.json")).toContain('"large": "1.0.7"');
        expect((await call("bash", { command: "npm i large@^1.0.0" })).text).toMatch(
          /too much to find \^1\.0\.0 in; this/,
        );
      },
      { published: large },
    );
  });

  test.each([
    ["a", "^1.0.0"],
    ["a@latest", "^1.0.0"],
    ["a@1.0.0", "^1.0.0"],
    ["a@^1.0.0", "^1.0.0"],
    ["a@>=1", "^1.0.0"],
    ["a@~1.0.0", "~1.0.0"],
    ["-E a@~1.0.0", "1.0.0"],
  ])("npm install %s saves %s", (words, saved) =>
    withRegistry({ "/package.json": manifest }, async ({ call, fs }) => {
      await call("bash", { command: `npm install ${words}` });
      expect(JSON.parse(await fs.readFile("/package.json"))).toMatchObject({ dependencies: { a: saved } });
    }),
  );

  test("waits for a person where the policy says so", () => {
    const gate: Gate = {
      require: ({ permission, detail, host, by }) => {
        expect([host, by]).toEqual(["registry.npmjs.org", "npm"]);
        throw new TenrecError("approval-required", { permission, detail });
      },
    };
    return withRegistry(
      { "/package.json": manifest },
      async ({ call }) => {
        await expect(call("bash", { command: "npm i a" })).rejects.toMatchObject({ code: "approval-required" });
      },
      { gate },
    );
  });

  test("leaves to an executor what it cannot do, before anything was changed", () => {
    const executor = recordingExecutor();
    const { ran } = executor;
    return withRegistry(
      { "/package.json": '{"dependencies":{"a":"1"}}' },
      async ({ call }) => {
        for (const command of ["npm test", "npm ci", "npm i peer", "npm i a && npm test", "npm i $x"]) {
          await call("bash", { command });
        }
        expect(ran).toEqual(["npm test", "npm ci", "npm i peer", "npm i a && npm test", "npm i $x"]);
        await call("bash", { command: "npm i a" });
        expect(ran).toHaveLength(5);
      },
      { executor },
    );
  });

  test("twice from the same tree gives the same tree", () =>
    withRegistry({ "/package.json": manifest }, async (first) => {
      const second = first.again();
      await first.call("bash", { command: "npm i a" });
      await second.call("bash", { command: "npm i a" });
      expect(await second.commit()).toBe(await first.commit());
    }));
});

describe("npm run", () => {
  const project = JSON.stringify({
    scripts: { check: "tsc --noEmit", gen: "codegen --all", ok: "echo ok", say: "echo $1" },
  });

  test.each<[string, command: string, texts: readonly (string | RegExp)[]]>([
    ["a program for another tier", "npm run check", ["> tsc --noEmit", "[tsc needs an executor", "[exit code 127]"]],
    ["a program of a package", "npm run gen", ['the script "gen" needs the program codegen', "[exit code 127]"]],
    ["no such script", "npm run chek", [/Missing script: "chek"\n[^]*npm run$/m]],
    ["one that is near", "npm run che", ["Did you mean this?\nnpm error   npm run check"]],
    ["no project", "cd /tmp; npm run ok", ["Could not read package.json: there is none at /tmp/package.json"]],
    ["a broken project", "echo '{' > package.json; npm run ok", ["npm error code EJSONPARSE"]],
    ["other commands", "npm ci", ["[npm needs an executor"]],
    ["options that it does not know", "npm run ok --what", ["[npm needs an executor"]],
  ])("says what to do: %s", (_name, command, texts) =>
    withTools({ "/package.json": project }, async ({ call }) => {
      const { text } = await call("bash", { command });
      for (const part of texts) expect(text).toMatch(part instanceof RegExp ? part : plain(part));
    }),
  );

  test("needs no network", () =>
    withTools({ "/package.json": project }, async ({ again }) => {
      const { text } = await again({ egress: undefined } as never).call("bash", {
        command: "npm run ok; npm install a",
      });
      expect(text).toContain("> echo ok\n\nok");
      expect(text).toContain("[npm needs an executor");
    }));

  test("is left whole to an executor that takes it", () => {
    const executor = recordingExecutor();
    return withTools(
      { "/package.json": project },
      async ({ call }) => {
        await call("bash", { command: "npm run ok" });
        expect(executor.ran).toEqual(["npm run ok"]);
      },
      { executors: [executor] },
    );
  });
});

function plain(text: string): RegExp {
  return new RegExp(text.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
}
