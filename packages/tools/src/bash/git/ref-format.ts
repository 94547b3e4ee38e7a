import type { GitCommitData, GitRefData } from "@tenrec/protocol";
import { type GitCall, notHere, subjectOf, upstreamOf } from "./git-call.ts";
import { dateText } from "./log-text.ts";

interface Shown {
  readonly ref: GitRefData;
  readonly commit: GitCommitData | undefined;
  readonly branch: string | undefined;
  readonly upstream: string | undefined;
  readonly now: number;
}

/** What `--format` makes of each ref, in the order of `--sort`. */
export async function refTexts(
  call: GitCall,
  refs: readonly GitRefData[],
  format: string,
  sorts: readonly string[],
): Promise<string[]> {
  const { branch } = await call.git.status();
  const shown: Shown[] = [];
  for (const ref of refs) {
    const commit = await call.git.commitAt(ref.oid);
    shown.push({ ref, commit, branch, upstream: await followedBy(call, ref.name), now: call.git.now() });
  }
  for (const sort of sorts) {
    const [, sign, key = ""] = /^(-?)(.*)$/.exec(sort) ?? [];
    const value = (each: Shown): string | number => {
      const stamp = key.endsWith("date") ? stampOf(each, key) : undefined;
      return stamp?.timestamp ?? atom(each, key);
    };
    const direction = sign === "-" ? -1 : 1;
    shown.sort((a, b) => {
      const [left, right] = [value(a), value(b)];
      return left === right ? 0 : (left < right ? -1 : 1) * direction;
    });
  }
  return shown.map((each) =>
    format.replace(/%(?:%|([0-9a-fA-F]{2})|\(([^()]*)\))/g, (_, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return atom(each, name);
      return hex === undefined ? "%" : String.fromCharCode(Number.parseInt(hex, 16));
    }),
  );
}

async function followedBy(call: GitCall, name: string): Promise<string | undefined> {
  const branch = /^refs\/heads\/(.*)$/.exec(name)?.[1];
  return branch === undefined ? undefined : upstreamOf(call, branch);
}

function stampOf({ commit }: Shown, key: string): GitCommitData["author"] | undefined {
  return key.startsWith("author") ? commit?.author : commit?.committer;
}

function shortName(name: string): string {
  return name.replace(/^refs\/(heads|tags|remotes)\//, "");
}

function atom(each: Shown, given: string): string {
  const { ref, commit, branch, upstream = "", now } = each;
  const [, name = given, form = ""] = /^([a-zA-Z:]*?)(?::(.*))?$/.exec(given) ?? [];
  const stamp = name.endsWith("date") ? stampOf(each, name) : undefined;
  if (/^(author|committer|creator)date$/.test(name)) return stamp ? dateText(stamp, form || "default", now) : "";
  const values: Readonly<Record<string, () => string>> = {
    refname: () => ref.name,
    "refname:short": () => shortName(ref.name),
    objectname: () => ref.oid,
    "objectname:short": () => ref.oid.slice(0, 7),
    objecttype: () => (commit?.oid === ref.oid ? "commit" : "tag"),
    subject: () => subjectOf(commit?.message ?? ""),
    "contents:subject": () => subjectOf(commit?.message ?? ""),
    authorname: () => commit?.author.name ?? "",
    authoremail: () => `<${commit?.author.email ?? ""}>`,
    committername: () => commit?.committer.name ?? "",
    upstream: () => upstream,
    "upstream:short": () => shortName(upstream),
    HEAD: () => (ref.name === `refs/heads/${branch}` ? "*" : " "),
  };
  const value = Object.hasOwn(values, given) ? values[given] : undefined;
  return value
    ? value()
    : notHere(`%(${given})`, "use %(refname:short), %(objectname:short), %(subject) or %(committerdate:short)");
}
