import type { GitIdentity } from "@tenrec/protocol";
import type { ParsedOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, notHere } from "./git-call.ts";
import { timeOf } from "./relative-time.ts";

/** Who commits, where the environment or the repository says so. */
export function identityOf(call: GitCall): Promise<GitIdentity | undefined> {
  return personOf(call, "GIT_COMMITTER");
}

async function personOf(
  { git, shell: { exported }, settings }: GitCall,
  role: "GIT_AUTHOR" | "GIT_COMMITTER",
): Promise<GitIdentity | undefined> {
  const [givenName, givenEmail] = [exported[`${role}_NAME`], exported[`${role}_EMAIL`]];
  const name = givenName ?? settings.get("user.name") ?? (await git.config("user.name"));
  const email = givenEmail ?? settings.get("user.email") ?? (await git.config("user.email"));
  if (name !== undefined && email !== undefined) return { name, email };
  if (givenName !== undefined || givenEmail !== undefined)
    notHere(`${role}_NAME or ${role}_EMAIL alone`, "set both, or user.name and user.email with git config");
  return undefined;
}

type Author = NonNullable<Parameters<GitCall["git"]["commit"]>[0]["author"]>;

/** Undefined where the author is who commits, or stays who it was. */
export async function authorOf(call: GitCall, options: ParsedOptions): Promise<Author | undefined> {
  const date = options.value("D") ?? call.shell.exported["GIT_AUTHOR_DATE"];
  const named = namedAuthor(options.value("U"));
  const reused = options.value("C");
  const from: Author | undefined = reused === undefined ? undefined : (await commitOf(call, reused)).author;
  const isKept = options.has("A") && date === undefined;
  const usual = isKept ? undefined : await personOf(call, "GIT_AUTHOR");
  const author = named ? { ...from, ...named } : (from ?? usual);
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
