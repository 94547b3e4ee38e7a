/** What a page's policy must let through beside what it lets through already. */
export interface PolicyAdditions {
  /** Of the one script that is put into the page. */
  readonly nonce: string;
  /** Sources that a page may connect to, such as `wss://app.example/live`. */
  readonly connect: readonly string[];
}

interface Directive {
  readonly name: string;
  readonly sources: readonly string[];
}

/** A `Content-Security-Policy`, or several with commas between, that lets the additions through and nothing else. */
export function widenPolicy(policies: string, additions: PolicyAdditions): string {
  return policies
    .split(",")
    .map((policy) => widenOne(policy, additions))
    .join(", ");
}

function widenOne(policy: string, { nonce, connect }: PolicyAdditions): string {
  let directives = policy.split(";").flatMap((text): Directive[] => {
    const [name, ...sources] = text.trim().split(/\s+/);
    return name ? [{ name: name.toLowerCase(), sources }] : [];
  });
  directives = withSources(directives, ["script-src-elem", "script-src", "default-src"], (sources) =>
    runsInline(sources) ? [] : [`'nonce-${nonce}'`],
  );
  directives = withSources(directives, ["connect-src", "default-src"], () => connect);
  return directives.map(({ name, sources }) => [name, ...sources].join(" ")).join("; ");
}

/** Adds sources to the directive that decides: the first of `names` that is there. What others fall back to stays as it is. */
function withSources(
  directives: readonly Directive[],
  names: readonly string[],
  added: (sources: readonly string[]) => readonly string[],
): Directive[] {
  const name = names.find((each) => directives.some((directive) => directive.name === each));
  // Of two with the same name, the first one counts.
  const index = directives.findIndex((directive) => directive.name === name);
  const found = directives[index];
  const more = found ? added(found.sources) : [];
  if (!found || more.length === 0) return [...directives];
  const sources = [...found.sources.filter((source) => source.toLowerCase() !== "'none'"), ...more];
  return found.name === "default-src"
    ? [...directives, { name: names[0] ?? "", sources }]
    : directives.with(index, { ...found, sources });
}

/** Whether a script in the page runs as it is. A nonce would then forbid all the others. */
function runsInline(sources: readonly string[]): boolean {
  const known = sources.map((source) => source.toLowerCase());
  return known.includes("'unsafe-inline'") && !known.some((each) => /^'(nonce-|sha\d+-|strict-dynamic)/.test(each));
}
