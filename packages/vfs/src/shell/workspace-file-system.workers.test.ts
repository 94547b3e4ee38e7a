import { Workspace } from "@cloudflare/shell";
import { TenrecError } from "@tenrec/protocol";
import { fileSystemCases } from "@tenrec/protocol/testing";
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import { gaps } from "./with-gaps.ts";
import { withRowLimit } from "./with-row-limit.ts";
import { workspaceFileSystem } from "./workspace-file-system.ts";

interface Opened {
  readonly workspace: Workspace;
  /** Where its large files are in the bucket. */
  readonly prefix: string;
}

/** Runs a test on a new workspace in a Durable Object. */
async function withWorkspace<T>(bucket: R2Bucket | undefined, run: (opened: Opened) => Promise<T>): Promise<T> {
  const prefix = env.TEST_OBJECT.newUniqueId().toString();
  const stub = env.TEST_OBJECT.get(env.TEST_OBJECT.idFromString(prefix));
  return runInDurableObject(stub, (_instance, state) => {
    const options = bucket ? { r2: bucket, r2Prefix: prefix } : {};
    return run({ workspace: new Workspace({ sql: withRowLimit(state.storage.sql), ...options }), prefix });
  });
}

describe.each([
  ["without a bucket", undefined],
  ["with a bucket", env.TEST_BUCKET],
])("a workspace %s", (_, bucket) => {
  const open = gaps.filter((gap) => !bucket || !gap.passesWithBucket).map(({ name }) => name);

  test("every gap is a case", () => {
    expect(open.filter((name) => !fileSystemCases.some((contract) => contract.name === name))).toEqual([]);
  });

  test.each(fileSystemCases.map((contract) => [contract.name, contract] as const))(
    "%s",
    async (name, contract) => {
      // A workspace warns of what it then tries.
      const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
      await withWorkspace(bucket, async ({ workspace }) => {
        const fs = workspaceFileSystem(workspace);
        const passOver = (what: string): never => {
          throw new TenrecError("unsupported", { what, by: "a workspace" });
        };
        const subject = { fs, passOver, takesHugeFiles: true, [Symbol.asyncDispose]: async () => {} };
        const run = contract.run(async () => subject);
        if (open.includes(name)) await expect(run, "it is listed and passes").rejects.toBeInstanceOf(Error);
        else await expect(run).resolves.toBeUndefined();
      });
      warnings.mockRestore();
    },
    60_000,
  );
});

test("a content that the bucket lost is EIO, not an empty file", () =>
  withWorkspace(env.TEST_BUCKET, async ({ workspace, prefix }) => {
    const fs = workspaceFileSystem(workspace);
    await fs.writeFileBytes("/big", new Uint8Array(1_600_000).fill(1));
    await env.TEST_BUCKET.delete((await env.TEST_BUCKET.list({ prefix })).objects.map(({ key }) => key));
    expect(await workspace.readFile("/big")).toBe("");
    await expect(fs.readFile("/big")).rejects.toMatchObject({ code: "EIO", data: { path: "/big" } });
    await expect(fs.cp("/big", "/copy")).rejects.toMatchObject({ code: "EIO" });
    await expect(fs.appendFile("/big", "x")).rejects.toMatchObject({ code: "EIO" });
  }));

test("a refused file leaves no directory behind, and the old content where it was", () =>
  withWorkspace(undefined, async ({ workspace }) => {
    const warnings = vi.spyOn(console, "warn").mockImplementation(() => {});
    const fs = workspaceFileSystem(workspace);
    await fs.writeFile("/there/f", "old");
    const big = new Uint8Array(3_000_000);
    await expect(fs.writeFileBytes("/there/new/deep/f", big)).rejects.toMatchObject({ code: "EFBIG" });
    await expect(fs.writeFileBytes("/there/f", big)).rejects.toMatchObject({
      code: "EFBIG",
      data: { size: 3_000_000 },
    });
    expect(await fs.readdir("/there")).toEqual(["f"]);
    expect(await fs.readFile("/there/f")).toBe("old");
    warnings.mockRestore();
  }));

test("what else a workspace throws has a code", async () => {
  const broken = (message: string): Workspace =>
    new Proxy({} as Workspace, { get: () => async () => Promise.reject(new Error(message)) });
  const code = async (message: string): Promise<string> =>
    workspaceFileSystem(broken(message))
      .readFile("/f")
      .then(
        () => "none",
        (error: TenrecError) => error.code,
      );
  expect(await code("ENAMETOOLONG: path exceeds 4096 characters")).toBe("EINVAL");
  expect(await code("EPERM: cannot remove root directory")).toBe("EACCES");
  expect(await code("Network connection lost.")).toBe("EIO");
});
