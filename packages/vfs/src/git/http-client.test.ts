import { toModelText } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { withStorage } from "../with-store.ts";
import { createGit } from "./create-git.ts";
import { type GitEnvironment, readGitAuthor, readGitCredentials } from "./credentials.ts";
import type { GitFetch, GitOptions, GitProgress } from "./git-options.ts";
import { checkRemoteUrl } from "./remote-url.ts";
import { fakeCommit, fakeObject, fakePack, fakeServer, fakeTree } from "./with-fake-server.ts";
import { openWorkspace, type Workspace } from "./with-git.ts";

const URL = "https://example.com/a.git";
const CANARY = "canary-5f2e/+ü";
const file = fakeObject(3, "text\n");
const tree = fakeTree([["100644", "a.txt", file]]);
const commit = fakeCommit(tree);
const refs = { HEAD: commit.oid, "refs/heads/main": commit.oid };
const server = fakeServer({ refs, pack: fakePack([commit, tree, file]) });

function clone(workspace: Workspace, options: Partial<GitOptions>, url = URL): Promise<unknown> {
  return workspace.call((git) => git.clone({ url }), options);
}

describe("the address of a remote", () => {
  test.each([
    ["https://example.com/a.git", "https://example.com/a.git"],
    ["https://example.com/a/", "https://example.com/a"],
    ["HTTPS://EXAMPLE.com:443/a#b", "https://example.com/a"],
    ["http://localhost:8080/a.git", "http://localhost:8080/a.git"],
  ])("%s is taken as %s", (text, expected) => {
    expect(checkRemoteUrl(text, ["localhost:8080"]).href).toBe(expected);
  });

  test.each([
    "http://example.com/a.git",
    "http://localhost:8081/a.git",
    "file:///etc",
    "ssh://git@example.com/a",
    "git@example.com:a.git",
    "git://example.com/a",
    "ext::sh -c evil",
    "/etc",
    "../a",
    "-u",
    "",
    "javascript:alert(1)",
    "data:,x",
    "https://",
    `https://user:${CANARY}@example.com/a`,
    `https://${CANARY}@example.com/a`,
    `https://example.com/a?token=${CANARY}`,
    `ftp://u:${CANARY}@h/a`,
  ])("%j is refused, and nothing in it that may be secret is repeated", (text) => {
    const refused = expect.objectContaining({ code: "git-refused", message: expect.not.stringContaining(CANARY) });
    expect(() => checkRemoteUrl(text, ["localhost:8080"])).toThrow(refused);
  });
});

describe("credentials", () => {
  test.each<[string, GitEnvironment, Record<string, string | undefined>]>([
    ["nothing", {}, { "github.com": undefined }],
    [
      "a token is for github.com alone",
      { GIT_TOKEN: "t" },
      { "github.com": "x-access-token:t", "gitlab.com": undefined },
    ],
    [
      "or for the host that is named",
      { GIT_TOKEN: "t", GIT_HOST: "h:1" },
      { "h:1": "x-access-token:t", h: undefined, "github.com": undefined },
    ],
    ["a name and a password", { GIT_USERNAME: "u", GIT_PASSWORD: "p" }, { "github.com": "u:p" }],
    [
      "a token goes before a password",
      { GIT_USERNAME: "u", GIT_PASSWORD: "p", GIT_TOKEN: "t" },
      { "github.com": "u:t" },
    ],
    [
      "hosts are compared as a whole",
      { GIT_TOKENS: '{"git.example.com":"t"}' },
      { "git.example.com": "x-access-token:t", "git-example.com": undefined, "example.com": undefined },
    ],
    ["what is no text is nothing", { GIT_TOKEN: 5, GIT_USERNAME: "" }, { "github.com": undefined }],
  ])("%s", (_, env, expected) => {
    const credentials = readGitCredentials(env);
    for (const [host, pair] of Object.entries(expected)) {
      const found = credentials.of(host);
      expect(found && `${found.username}:${found.password}`).toBe(pair);
    }
  });

  test.each([{ GIT_PASSWORD: CANARY }, { GIT_TOKENS: `{"a":"${CANARY}"` }, { GIT_TOKENS: `{"a":{"b":"${CANARY}"}}` }])(
    "%j cannot be understood",
    (env) => {
      const refused = expect.objectContaining({ code: "not-configured", message: expect.not.stringContaining(CANARY) });
      expect(() => readGitCredentials(env)).toThrow(refused);
    },
  );

  test("an author needs both", () => {
    expect(readGitAuthor({ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b" })).toEqual({ name: "A", email: "a@b" });
    expect(readGitAuthor({ GIT_AUTHOR_NAME: "A" })).toBeUndefined();
  });

  const secret = `Basic ${Buffer.from(`x-access-token:${CANARY}`).toString("base64")}`;
  const credentials = readGitCredentials({ GIT_TOKEN: CANARY, GIT_HOST: "example.com" });

  /** A server that asks for a password, and answers with whatever it got. */
  function guarded(next: GitFetch): { fetch: GitFetch; sent: (string | null)[] } {
    const sent: (string | null)[] = [];
    const fetch: GitFetch = async (url, init) => {
      const got = new Headers(init.headers).get("authorization");
      sent.push(got);
      return got === secret ? next(url, init) : new Response("who are you?", { status: 401 });
    };
    return { fetch, sent };
  }

  test("are sent only after the host has asked, and then every time", () =>
    withStorage(async (storage) => {
      const { fetch, sent } = guarded(server);
      await clone(openWorkspace(storage), { fetch, credentials });
      expect(sent).toEqual([null, secret, secret]);
    }));

  test.each<[string, GitFetch]>([
    ["that works", server],
    [
      "that says it all over",
      async () =>
        new Response(`your header was ${secret} and ${CANARY} and ${encodeURIComponent(CANARY)}`, {
          status: 500,
          statusText: "no",
        }),
    ],
    ["that is refused", async () => new Response(secret, { status: 403 })],
    [
      "that breaks",
      async () => Promise.reject(new Error(`connect https://u:${CANARY}@example.com failed with ${secret}`)),
    ],
    ["that is no git server", async () => new Response(`<html>${CANARY}${secret}`)],
    ["that sends it as a ref", fakeServer({ refs: { [`refs/heads/${CANARY}`]: commit.oid }, pack: new Uint8Array() })],
    ["that sends it as a message", fakeServer({ refs, answer: () => new Response(`0030\u0003${CANARY}`) })],
  ])("are nowhere to be found after a clone %s", (_, next) =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const { fetch } = guarded(next);
      const seen: GitProgress[] = [];
      const ended = await clone(workspace, { fetch, credentials, onProgress: (progress) => seen.push(progress) }).catch(
        (error: unknown) => [toModelText(error), JSON.stringify(error), error instanceof Error && error.message],
      );
      const texts = [JSON.stringify([ended, seen, workspace.refs(), await workspace.files(), credentials])];
      for (const bytes of Object.values(workspace.gitFiles())) texts.push(new TextDecoder().decode(bytes));
      for (const form of [CANARY, encodeURIComponent(CANARY), secret.slice("Basic ".length)]) {
        expect(texts.filter((text) => text.includes(form))).toEqual([]);
      }
    }),
  );
});

describe("redirects", () => {
  const moved =
    (location: string, status = 301): GitFetch =>
    async (url, init) =>
      url.startsWith(`${URL}/`) ? new Response(null, { status, headers: { location } }) : server(url, init);

  test.each([301, 302, 307, 308])("%i within the same origin is followed, also for what is sent later", (status) =>
    withStorage(async (storage) => {
      const asked: string[] = [];
      const target = "https://example.com/new/b.git/info/refs?service=git-upload-pack";
      const fetch: GitFetch = (url, init) => {
        asked.push(url);
        return moved(target, status)(url, init);
      };
      await clone(openWorkspace(storage), { fetch });
      expect(asked.slice(1)).toEqual([target, "https://example.com/new/b.git/git-upload-pack"]);
    }),
  );

  test.each([
    "https://evil.example/a.git/info/refs?service=git-upload-pack",
    "http://example.com/a.git/info/refs?service=git-upload-pack",
    "https://example.com:444/a.git/info/refs?service=git-upload-pack",
    "https://u:p@example.com/b.git/info/refs?service=git-upload-pack",
    "https://example.com/login",
    "file:///etc/info/refs?service=git-upload-pack",
    `${URL}/info/refs?service=git-upload-pack`,
  ])("to %s is not", (location) =>
    withStorage(async (storage) => {
      const asked: string[] = [];
      const fetch: GitFetch = (url, init) => {
        asked.push(url);
        return moved(location)(url, init);
      };
      await expect(clone(openWorkspace(storage), { fetch })).rejects.toMatchObject({ code: "git-refused" });
      expect(asked.every((url) => url.startsWith(`${URL}/`))).toBe(true);
    }),
  );
});

describe("a request", () => {
  test("goes to the remote only, whatever the configuration says", () =>
    withStorage(async (storage) => {
      const asked: string[] = [];
      const fetch: GitFetch = (url, init) => {
        asked.push(url);
        return server(url, init);
      };
      const fetched = openWorkspace(storage).call(
        async (git) => {
          await git.init();
          await git.addRemote("origin", URL);
          await git.fileSystem.appendFile("/.git/config", "\n[http]\n\tcorsProxy = https://evil.example\n");
          return git.fetch();
        },
        { fetch },
      );
      await expect(fetched).rejects.toMatchObject({ code: "git-refused" });
      expect(asked).toEqual([]);
    }));

  test("ends when it is stopped, at its start and in the middle of an answer", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const early = clone(workspace, { fetch: server, signal: AbortSignal.abort(new Error("by the user")) });
      await expect(early).rejects.toMatchObject({ code: "aborted" });
      const controller = new AbortController();
      const hanging: GitFetch = async (_, { signal }) =>
        new Response(
          new ReadableStream({
            start: (stream) => signal?.addEventListener("abort", () => stream.error(signal.reason)),
          }),
        );
      const late = clone(workspace, { fetch: hanging, signal: controller.signal });
      controller.abort(new Error("by the user"));
      await expect(late).rejects.toMatchObject({ code: "aborted" });
      expect(workspace.gitFiles()).toEqual({});
    }));

  test("ends when the server takes too long", () =>
    withStorage(async (storage) => {
      const never: GitFetch = (_, { signal }) =>
        new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
      const cloned = clone(openWorkspace(storage), { fetch: never, limits: { requestMs: 10 } });
      await expect(cloned).rejects.toMatchObject({ code: "timeout", data: { ms: 10 } });
    }));

  test("needs a network that it was given", () =>
    withStorage(async (storage) => {
      const workspace = openWorkspace(storage);
      const { store, tree } = workspace;
      const git = createGit({ store, repository: "main", overlay: tree.overlay(tree.emptyTree) });
      await expect(git.clone({ url: URL })).rejects.toMatchObject({ code: "not-configured" });
    }));

  test("tells how far it is", () =>
    withStorage(async (storage) => {
      const seen: GitProgress[] = [];
      await clone(openWorkspace(storage), { fetch: server, onProgress: (progress) => seen.push(progress) });
      expect(seen).toContainEqual({ phase: "checkout", loaded: 1, total: 1 });
      expect(seen.some(({ phase, loaded }) => phase === "receiving" && loaded > 100)).toBe(true);
    }));
});
