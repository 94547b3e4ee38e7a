import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { withTools } from "../with-tools.ts";

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const files = {
  "/package.json": json({
    name: "shop",
    version: "1.2.3",
    workspaces: ["packages/*", "extra"],
    scripts: {
      prebuild: "echo pre",
      build: "echo built",
      postbuild: "echo post",
      fail: "exit 3",
      postfail: "echo never",
      prestopped: "exit 4",
      stopped: "echo never",
      args: "echo args:",
      variables: "echo $npm_lifecycle_event $npm_package_name $npm_package_version",
      test: "echo testing",
      start: "echo started",
      nested: "npm run build && echo done",
      silent: "npm run -s build",
      lines: "echo a &&\n echo b; echo 'c  d'",
      where: "basename $PWD && basename $INIT_CWD",
      pipe: "echo b a | tr ' ' '\\n' | sort > out; cat out",
      input: "cat; echo end",
    },
  }),
  "/packages/a/package.json": json({ name: "@shop/a", scripts: { build: "echo a" } }),
  "/packages/b/package.json": json({ name: "b", version: "2.0.0", scripts: { build: "echo b; exit 2", x: "echo x" } }),
  "/packages/c/package.json": json({ scripts: { build: "pwd | xargs basename" } }),
  "/packages/README.md": "",
  "/extra/package.json": json({ name: "extra", version: "0.0.1", scripts: { start: "echo extra" } }),
  "/sub/folder/file": "",
};

const root = mkdtempSync(join(tmpdir(), "npm-run-"));
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, "workspace", path)), { recursive: true });
  writeFileSync(join(root, "workspace", path), text);
}
mkdirSync(join(root, "home"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const hasNpm = spawnSync("npm", ["--version"]).status === 0;

interface Ran {
  readonly stdout: string;
  readonly exitCode: number;
}

function real(command: string): Ran {
  const env = { PATH: process.env["PATH"], HOME: join(root, "home"), npm_config_update_notifier: "false" };
  const cwd = join(root, "workspace");
  const { stdout, status } = spawnSync("bash", ["-c", command], { cwd, env, input: "", encoding: "utf8" });
  return { stdout: stdout.trimEnd(), exitCode: status ?? 1 };
}

function ours(command: string): Promise<Ran> {
  return withTools(files, async ({ call }) => {
    const { text, data } = await call("bash", { command: `(${command}) 2> /dev/null` });
    const { exitCode } = data as { exitCode: number };
    const stdout = text.replace(/\n?\[exit code \d+\]$/, "");
    return { stdout: stdout === "(no output, exit code 0)" ? "" : stdout.trimEnd(), exitCode };
  });
}

describe.skipIf(!hasNpm)("npm run, beside npm: what it prints and its code", () => {
  test.each([
    "npm run build",
    "npm run fail",
    "npm run stopped",
    "npm run args -- a 'b c' --x \"it's\" '$x'",
    "npm run args a b",
    "npm run variables",
    "npm test",
    "npm t",
    "npm start",
    "npm restart",
    "npm stop",
    "npm run",
    "npm run -s build",
    "npm --silent run build",
    "npm run nested",
    "npm run silent",
    "npm run lines",
    "npm run pipe",
    "npm run input",
    "npm run nope",
    "npm run nope --if-present",
    "npm run-script build --ignore-scripts",
    "npm --prefix packages/a run build",
    "cd sub/folder && npm run where",
    "cd packages/c && npm run build",
    "cd packages/b && npm run",
    "cd packages/a && npm run",
    "npm run build --workspaces --if-present",
    "npm run build -w b",
    "npm run build -w packages/a -w b",
    "npm run build --workspace=packages",
    "npm start -w extra",
    "npm run x --ws --if-present",
    "npm run x --workspaces",
    "npm run -w b",
    "npm run build -w nowhere",
    "npm run build && echo yes || echo no; npm run fail && echo yes || echo no",
  ])("%s", async (command) => {
    expect(await ours(command)).toEqual(real(command));
  });
});
