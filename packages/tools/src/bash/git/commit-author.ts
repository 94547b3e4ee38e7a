import type { GitIdentity } from "@tenrec/protocol";
import type { ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, notHere } from "./git-call.ts";
import { timeOf } from "./relative-time.ts";

/** Who commits, where the repository says so. */
export async function identityOf({ git }: Pick<GitCall, "git">): Promise<GitIdentity | undefined> {
  const [name, email] = [await git.config("user.name"), await git.config("user.email")];
  return name === undefined || email === undefined ? undefined : { name, email };
}

type Author = NonNullable<Parameters<GitCall["git"]["commit"]>[0]["author"]>;

/** Undefined where the author is who commits, or stays who it was. */
export async function authorOf(
  call: GitCall,
  options: ParsedOptions,
  committer: GitIdentity | undefined,
): Promise<Author | undefined> {
  const date = options.value("D");
  const named = namedAuthor(options.value("U"));
  const reused = options.value("C");
  const from: Author | undefined = reused === undefined ? undefined : (await commitOf(call, reused)).author;
  const isKept = options.has("A") && date === undefined;
  const author = named ? { ...from, ...named } : (from ?? (isKept ? undefined : committer));
  if (date === undefined) return author;
  if (!author) notHere("commit --date without a name", "set user.name and user.email with git config");
  return { ...author, timestamp: timeOf(date, call.git.now()), timezoneOffset: zoneOf(date) };
}

function namedAuthor(given: string | undefined): GitIdentity | undefined {
  if (given === undefined) return undefined;
  const [, name, email] = /^(.+?) *<([^<>]+)>$/.exec(given) ?? fatal(`--author '${given}' is not 'Name <email>'`);
  return { name: name ?? "", email: email ?? "" };
}

/** Minutes west of UTC. */
function zoneOf(date: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(date) ?? [];
  return sign === undefined ? 0 : (sign === "+" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
