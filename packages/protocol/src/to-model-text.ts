import type { ErrorCode, ErrorData } from "./errors.ts";
import { errorJson } from "./errors.ts";

type Advice = { readonly [C in ErrorCode]?: (data: ErrorData[C]) => string };

/** The next call to make, per code. A code without a line here has nothing that a model could do about it. */
const ADVICE: Advice = {
  ENOENT: () => "Check the path with ls or glob; paths are relative to /workspace.",
  EISDIR: (d) => `Use ls on ${d.path}, or name a file in it.`,
  ENOTDIR: () => "A part of the path is a file. Check it with ls.",
  EEXIST: () => "Choose another path, or edit the existing file.",
  ENOTEMPTY: () => "Remove its content first, or use rm -r in bash.",
  ELOOP: () => "Links on the way lead to each other. Look at them with ls -l, and remove one with rm.",
  EINVAL: () => "Correct it, and call it again.",
  EACCES: (d) =>
    /(^|\/)\.git(\/|$)/.test(d.path)
      ? "The repository is not kept as files. Use git in bash, such as git config, git branch or git log."
      : "Use a path inside /workspace.",
  EFBIG: () => "Read a part of it with offset and limit, search it with grep, or write less at once.",
  ENOSPC: () => "Write less in one call, or remove files that are not needed.",
  EIO: () => "The content could not be read just now. Try once more; if it fails again, tell the user.",
  "file-unread": () => "Read it first, or change a part of it with edit.",
  "file-changed": () => "Read it again, then repeat the change.",
  "tree-conflict": () => "Read these files again and repeat the change.",
  "git-refused": () => "Do not try it another way. Tell the user what the repository or the address contains.",
  "git-not-found": () => "List the branches, remotes or files, and name one of them.",
  "git-too-large": () => "Call it again with depth 1 and singleBranch, or ask the user for a smaller repository.",
  "git-conflict": () => "Make the change to these files by hand on top of the other side, or ask the user.",
  "git-local-changes": () => "Look at status, then commit, or repeat it with force to give up these changes.",
  "git-push-rejected": () =>
    "Pull what the server has, then push once more. Do not force it unless the user asked for that.",
  "git-unauthorized": () => "You cannot set credentials. Tell the user what is needed.",
  "permission-denied": () => "Do not try it another way. Go on without it, or tell the user what you would need.",
  "egress-refused": () =>
    "Other spellings of the address are refused too. Use a public http or https address, or tell the user what you would need.",
  "fetch-failed": () => "Check the address. If it is right, try once more, then go on without it.",
  "response-too-large": () => "Ask for a smaller page, or for a part of it with a Range header in curl.",
  "package-not-found": (d) =>
    d.newest === undefined
      ? "Check its name in package.json, or do without it."
      : `Ask in package.json for a version that there is, such as ^${d.newest}.`,
  "package-damaged": () => "Take another version. If a lockfile names this one, bring it up to date or delete it.",
  "package-too-large": () => "Take a smaller package, or do without it.",
  "registry-failed": () => "Try once more. If it fails again, tell the user, or do without the package.",
  "secret-redacted": () =>
    "Leave the place of a secret as it is: edit other lines of the file, copy or move it with bash. What only looks like a secret, such as in a test, join from two pieces. To set a secret, ask the user to do it.",
  "tool-input-invalid": () => "Correct the arguments and call it again.",
};

/**
 * What a model is told about a failed tool call: what went wrong, then the next call to make. Never a stack trace.
 * Accepts anything thrown.
 */
export function toModelText(error: unknown): string {
  const { code, message, data } = errorJson(error);
  const advise = ADVICE[code] as ((data: unknown) => string) | undefined;
  return advise ? `${message}\n${advise(data)}` : message;
}
