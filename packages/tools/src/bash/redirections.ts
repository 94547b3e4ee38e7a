type Node = Record<string, unknown>;

/** A descriptor that no script uses: bash keeps its own at 255. */
const SPARE = 251;

/** What just-bash looks at by name, and what can always be written. */
const SPECIAL = /^\/dev\/(null|stdout|stderr|full|tty)$/;

/**
 * A workaround of just-bash, which ends the whole script where a file cannot be opened for `>` and its kin. For a
 * descriptor above 2 it does what bash does: the command is not run, its code is 1, and the script goes on. So `> file`
 * becomes `251> file 1>&251 251>&-`.
 */
export function mendRedirections(redirections: readonly Node[]): Node[] {
  return redirections.flatMap(throughSpare);
}

function throughSpare(redirection: Node): Node[] {
  const { operator, target } = redirection;
  const into = redirection["fd"] ?? 1;
  const [, both = "", opens] = /^(&?)(>|>>|>\|)$/.exec(String(operator)) ?? [];
  if (opens === undefined || redirection["fdVariable"] || !(into === 1 || into === 2) || !isFile(target))
    return [redirection];
  const copies = both ? [1, 2] : [into];
  return [
    { ...redirection, fd: SPARE, operator: opens },
    ...copies.map((fd) => duplicate(redirection, fd, String(SPARE))),
    duplicate(redirection, SPARE, "-"),
  ];
}

function duplicate(redirection: Node, fd: number, source: string): Node {
  return { ...redirection, fd, operator: ">&", target: { type: "Word", parts: [{ type: "Literal", value: source }] } };
}

function isFile(target: unknown): boolean {
  const { type, parts } = target as { type: string; parts?: readonly Node[] };
  if (type !== "Word" || !parts || parts.some((part) => part["type"] === "ProcessSubstitution")) return false;
  const [only] = parts;
  return !(parts.length === 1 && SPECIAL.test(String(only?.["value"])));
}
