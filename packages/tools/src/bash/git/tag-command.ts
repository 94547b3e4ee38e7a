import type { CommandOutput } from "../shell-command.ts";
import { parseOptions } from "../commands/parse-options.ts";
import { commitOf, fatal, type GitCall, GitFailure, notHere, shortId } from "./git-call.ts";

export async function tagCommand(call: GitCall): Promise<CommandOutput> {
  const options = parseOptions(call.args, {
    short: "ldam:fn::s",
    long: { list: "l", delete: "d", annotate: "a", "message=": "m", force: "f", "sort=": "-" },
  });
  const { git } = call;
  const tags = (await git.refs()).filter(({ name }) => name.startsWith("refs/tags/"));
  const [name, from] = options.operands;
  if (options.has("d")) {
    let stdout = "";
    for (const each of options.operands) {
      const tag = tags.find((candidate) => candidate.name === `refs/tags/${each}`);
      if (!tag) throw new GitFailure(`error: tag '${each}' not found.`, 1);
      await git.setRef(tag.name, undefined);
      stdout += `Deleted tag '${each}' (was ${shortId(tag.oid)})\n`;
    }
    return { stdout };
  }
  if (name === undefined || options.has("l")) {
    const shown = tags
      .map((tag) => tag.name.slice("refs/tags/".length))
      .filter((tag) => name === undefined || tag.startsWith(name.replace(/\*.*$/, "")));
    return { stdout: shown.map((tag) => `${tag}\n`).join("") };
  }
  if (options.has("a", "m", "s")) notHere("a tag with a message", "make a plain one: git tag NAME");
  if (tags.some((tag) => tag.name === `refs/tags/${name}`) && !options.has("f")) fatal(`tag '${name}' already exists`);
  await git.setRef(`refs/tags/${name}`, (await commitOf(call, from ?? "HEAD")).oid);
  return {};
}
