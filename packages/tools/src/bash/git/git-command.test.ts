import type { GitRepository } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { createGit, GitStore } from "@tenrec/vfs/git";
import { createSearch, TreeStore } from "@tenrec/vfs";
import { describe, expect, it } from "vitest";
import { recordingExecutor } from "../../with-recording-executor.ts";
import { withStorage } from "../../with-storage.ts";
import { type BashPorts, runCommand } from "../bash.ts";

interface Shell {
  /** Runs a call of its own, and commits what it did. */
  run(command: string, ports?: Partial<BashPorts>, timeout?: number): Promise<string>;
}

const AUTHOR = { name: "Ada", email: "ada@example.com" };

function withShell<T>(test: (shell: Shell) => Promise<T>): Promise<T> {
  return withStorage(async (storage) => {
    const now = (): number => 1_700_000_000_000;
    const trees = new TreeStore(storage, { now });
    trees.setHead("main", trees.emptyTree);
    const store = new GitStore(storage, { now });
    return test({
      async run(command, given, timeout) {
        const fs = trees.overlay(trees.head("main"));
        const git = createGit({ store, repository: "main", overlay: fs, author: AUTHOR });
        const ports: BashPorts = {
          fs,
          search: createSearch(fs),
          git: () => git,
          gate: { require: () => undefined },
          outputs: { save: () => "", read: () => undefined },
          executors: [],
          operationId: "operation-1",
          ...given,
        };
        const { text } = await runCommand(ports, { command, timeout }, new AbortController().signal);
        trees.commit("main", await trees.stage(fs), () => git.rows());
        return text;
      },
    });
  });
}

const START = "git init -q && echo one > a.txt && git add a.txt && git commit -qm One";

describe("git in the shell", () => {
  it("goes on where the last call left it", () =>
    withShell(async ({ run }) => {
      expect(await run(START)).toBe("(no output, exit code 0)");
      expect(await run("echo two >> a.txt; git diff --stat; git commit -am Two; git log --oneline --format=%s")).toBe(
        " a.txt | 1 +\n 1 file changed, 1 insertion(+)\n[main 0cc2ce6] Two\n 1 file changed, 1 insertion(+)\nTwo\nOne",
      );
      expect(await run("git checkout -q HEAD~1 && cat a.txt && git checkout -q main && cat a.txt")).toBe(
        "one\none\ntwo",
      );
    }));

  it.each([
    [
      "a command that is not here",
      "git bisect start",
      /^git: bisect is not supported here; check out commits.*\n\[exit code 129\]$/,
    ],
    ["a command that nobody has", "git frobnicate", /'frobnicate' is not a git command here; there are status/],
    ["an option that is not here", "git log --cc", /log --cc is not supported here; run git log without it/],
    ["a diff of words", "git diff --word-diff", /diff --word-diff is not supported here; use git diff -U0/],
    [
      "a graph of a history that branches",
      "git checkout -q -b b; git commit -q --allow-empty -m B; git checkout -q main; git commit -q --allow-empty -m C; git log --graph --all",
      /--graph for a history that branches is not supported here; run git log without it/,
    ],
    ["an option that nobody has", "git commit --frob", /unrecognized option '--frob'.*\n\[exit code 129\]/],
    [
      "a conflict of a cherry-pick",
      "git checkout -q -b b; echo two > a.txt; git commit -qam B; git checkout -q main; echo three > a.txt; git commit -qam C; git cherry-pick b",
      /could not apply \w{7}\.\.\. B\nThere are conflicts in a\.txt\. Nothing was changed.*make the change by hand/s,
    ],
    [
      "a conflict of a rebase",
      "git checkout -q -b b; echo two > a.txt; git commit -qam B; git checkout -q main; echo three > a.txt; git commit -qam C; git rebase b; git log --format=%s -1",
      /^C\n.*conflicts in a\.txt\. Nothing was changed.*use git merge/s,
    ],
    [
      "a rebase with an editor",
      "git rebase -i HEAD~1",
      /rebase --interactive is not supported here; use git reset --soft/,
    ],
    ["a three-way apply", "git apply --3way x", /apply --3way is not supported here; use git apply, or patch -p1/],
    [
      "cleaning of what is ignored",
      "git clean -fdx",
      /clean of ignored files is not supported here; name them to rm -rf/,
    ],
    ["an editor", "git commit", /give one with -m/],
    ["a path outside", "git add /etc/passwd", /is outside repository/],
    ["another repository", "cd /tmp && git status", /not a git repository/],
    ["a setting that runs something", "git config core.pager 'sh -c x'", /not for a command line/],
    ["a setting that leads elsewhere", "git config url.x.insteadOf y", /not for a command line/],
    ["a server that nobody named", "git push", /'origin' does not appear to be a git repository/],
    ["a clone elsewhere", "git clone https://example.com/a.git", /clone into the workspace itself/],
    [
      "a hard reset to nothing that is there",
      "git reset --hard HEAD~9",
      /ambiguous argument 'HEAD~9': unknown revision/,
    ],
    ["a soft reset to nothing that is there", "git reset --soft nope", /ambiguous argument 'nope': unknown revision/],
    ["a hard reset of a file", "git reset --hard a.txt", /Cannot do hard reset with paths/],
    [
      "a repository in a folder",
      "mkdir sub; cd sub; git init",
      /a repository of its own in \/workspace\/sub is not supported/,
    ],
    ["a list of what a ref was", "git show HEAD@{1}", /HEAD@\{1\}.*is not supported here; git log --all shows/],
    ["what a ref was", "git reset --hard ORIG_HEAD", /ORIG_HEAD.*is not supported here; git log --all shows/],
    ["a commit without its parents", "git diff HEAD^!", /not supported here; write it as in HEAD~1\.\.HEAD/],
    ["two files of commits", "git diff HEAD:a.txt HEAD:a.txt", /use git diff A B -- FILE/],
    ["a file that is to be added", "git add -N a.txt", /add --intent-to-add is not supported here/],
    ["other lists of what is ignored", "git status --ignored=matching", /use --ignored/],
    ["a merge against each parent", "git log -m", /log -m is not supported here; use --first-parent/],
    [
      "a stash that does not fit",
      "echo two > a.txt; git stash -q; echo three > a.txt; git commit -qam C; git stash pop; git stash list",
      /stash@\{0\}: WIP.*There are conflicts in a\.txt\. Nothing was changed, and the stash entry is kept/s,
    ],
    ["a placeholder", "git log --format=%GG", /placeholder %G is not supported/],
  ])("says what to do about %s", (_name, command, text) =>
    withShell(async ({ run }) => {
      await run(START);
      expect(await run(command)).toMatch(text);
      expect(await run("git status -s")).toBe("(no output, exit code 0)");
    }),
  );

  it.each(["git status -z", "git status -sz", "git status --porcelain -z"])("%s ends names with NUL", (command) =>
    withShell(async ({ run }) => {
      await run(`${START}; mkdir d; git mv a.txt 'd/b c'; echo x > $'n\\nl'`);
      expect(await run(`cd d; ${command} | od -An -c | tr -d ' \\n'`)).toBe("Rd/bc\\0a.txt\\0??n\\nl\\0");
    }),
  );

  it("asks the gate before it uses the network, and lets the question through", () =>
    withShell(async ({ run }) => {
      await run(`${START}; git remote add origin https://example.com/a.git`);
      const asked: unknown[] = [];
      const gate: BashPorts["gate"] = {
        require: (request) => {
          asked.push(request);
          throw new TenrecError("approval-required", { permission: request.permission, detail: request.detail });
        },
      };
      await expect(run("git push -u origin main || true", { gate })).rejects.toMatchObject({
        code: "approval-required",
      });
      expect(asked).toEqual([
        {
          permission: "network",
          detail: "git push -u origin main (https://example.com/a.git)",
          host: "example.com",
          by: "git",
        },
      ]);
      expect(await run("git fetch; git pull")).toMatch(/fetch|network|configured/);
    }));

  it("is not mixed with commands of an executor, where there is no repository", () =>
    withShell(async ({ run }) => {
      await run(START);
      const executor = recordingExecutor();
      const ports = { executors: [executor] };
      expect(await run("npm test && git commit -am x", ports)).toMatch(/git runs here, and npm in an executor/);
      expect(await run("c=node; git tag v1; $c x.js", ports)).toContain("in a way not seen beforehand");
      expect(executor.ran).toEqual([]);
      expect(await run("git tag")).toBe("v1");
    }));

  it("has ended when the answer is there, also at the end of its time", () =>
    withShell(async ({ run }) => {
      await run(START);
      let hasEnded = false;
      const slow = (signal: AbortSignal): GitRepository => {
        const status = (): Promise<never> =>
          new Promise((_, reject) => {
            const end = (): void => {
              hasEnded = true;
              reject(signal.reason as Error);
            };
            signal.addEventListener("abort", () => setTimeout(end, 300), { once: true });
          });
        return { status } as Partial<GitRepository> as GitRepository;
      };
      expect(await run("git status", { git: slow }, 1)).toContain("stopped after 1 s");
      expect(hasEnded).toBe(true);
    }));
});
