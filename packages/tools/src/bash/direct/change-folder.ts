import type { IFileSystem } from "just-bash/browser";
import type { CommandOutput } from "../shell-command.ts";

interface Place {
  readonly fs: IFileSystem;
  readonly env: Map<string, string>;
  cwd: string;
}

/** `cd` to one folder, step by step, so that `..` behind a link goes back to where the link is. */
export async function changeFolder([target = ""]: readonly string[], place: Place): Promise<CommandOutput> {
  const { fs, cwd, env } = place;
  const names = (target.startsWith("/") ? target : `${cwd}/${target}`).split("/");
  let folder = "";
  for (const name of names) {
    if (name === "" || name === ".") continue;
    folder = name === ".." ? folder.slice(0, Math.max(0, folder.lastIndexOf("/"))) : `${folder}/${name}`;
    const stat = name === ".." ? undefined : await fs.stat(folder).catch(() => null);
    const problem = stat === null ? "No such file or directory" : "Not a directory";
    if (stat === null || stat?.isDirectory === false)
      return { stderr: `bash: cd: ${target}: ${problem}\n`, exitCode: 1 };
  }
  env.set("OLDPWD", cwd);
  place.cwd = folder || "/";
  env.set("PWD", place.cwd);
  return {};
}
