import type { Gate, PermissionClass, PermissionRequest, Policy, PolicyRule, Verdict } from "@tenrec/protocol";
import { TenrecError } from "@tenrec/protocol";
import { commandsIn, type CommandWords, matchesHost, type NetworkOptions, parsePublicUrl } from "@tenrec/tools";

const DEFAULTS: Readonly<Record<PermissionClass, Verdict>> = {
  read: "allow",
  edit: "allow",
  execute: "ask",
  network: "ask",
};

/** From what is most to what is least permissive. */
const STRICTNESS: readonly Verdict[] = ["allow", "ask", "deny"];

interface Question extends PermissionRequest {
  readonly tool: string;
  readonly input: unknown;
}

/** The command line of a `bash` call. */
export function bashCommand(tool: string, input: unknown): string | undefined {
  if (tool !== "bash" || typeof input !== "object" || input === null || !("command" in input)) return undefined;
  return typeof input.command === "string" ? input.command : undefined;
}

/**
 * The host that a `web_fetch` call asks for first, so that rules for hosts decide whether a person is asked. Throws
 * `egress-refused` for an address that is never reached: nobody is asked about it.
 */
export function requestedHost(tool: string, input: unknown, { localHosts }: NetworkOptions): string | undefined {
  if (tool !== "web_fetch" || typeof input !== "object" || input === null || !("url" in input)) return undefined;
  return typeof input.url === "string" ? parsePublicUrl(input.url, localHosts).host : undefined;
}

/**
 * The policy's answer to a question: the class's verdict, unless a rule matches; the last one that does wins. Each command
 * of a `bash` line has a verdict of its own, and the strictest of them is that of the line, so that an allowed command
 * allows nothing that stands beside it.
 */
export function verdict(policy: Policy, question: Question): Verdict {
  const command = bashCommand(question.tool, question.input);
  const byDefault = policy[question.permission] ?? DEFAULTS[question.permission];
  const rules = policy.rules ?? [];
  const judge = (matches: (rule: PolicyRule) => boolean): Verdict => rules.findLast(matches)?.verdict ?? byDefault;
  const forCall = (rule: PolicyRule): boolean => isAbout(rule, question);
  if (command === undefined || !rules.some((rule) => "bash" in rule)) return judge(forCall);
  const { by } = question;
  const asking = commandsIn(command).filter(([name]) => by === undefined || name === undefined || name === by);
  const verdicts = asking.map((words) => judge((rule) => forCall(rule) || matchesCommand(rule, words)));
  return verdicts.reduce(stricter, verdicts.length > 0 ? "allow" : judge(forCall));
}

/** Whether a rule is about the tool or the host of a question, whatever commands it has. */
function isAbout(rule: PolicyRule, { tool, host }: Question): boolean {
  if ("tool" in rule) return rule.tool === tool;
  return "host" in rule && host !== undefined && matchesHost(rule.host, host, rule.verdict);
}

function stricter(a: Verdict, b: Verdict): Verdict {
  return STRICTNESS.indexOf(a) > STRICTNESS.indexOf(b) ? a : b;
}

/** A word that is not known before the command runs may be any: it meets what asks or denies, and no allowance. */
function matchesCommand(rule: PolicyRule, words: CommandWords): boolean {
  if (!("bash" in rule)) return false;
  const wanted = rule.bash.trim().split(/\s+/);
  const isMatch = (word: string, at: number): boolean => {
    if (at < words.length && words[at] === undefined) return rule.verdict !== "allow";
    return words[at] === word;
  };
  // A command of unknown name has unknown words too.
  if (words.length > 0 && words[0] === undefined) return rule.verdict !== "allow";
  return wanted.every(isMatch);
}

export interface GatedCall {
  readonly tool: string;
  readonly input: unknown;
  /** Permissions that a person granted to this call. */
  readonly grants: readonly string[];
  /** Why nobody can be asked, when the call cannot start anew; undefined as long as it can. */
  readonly tooLate: () => string | undefined;
}

/** The gate of one call. What a person granted to this call is allowed, whatever the policy says now, except a denial. */
export function createGate(policy: Policy, call: GatedCall): Gate {
  return {
    require(request) {
      const { permission, detail, via } = request;
      const answer = verdict(policy, { ...request, tool: call.tool, input: call.input });
      if (answer === "allow") return;
      if (answer === "deny") throw new TenrecError("permission-denied", { permission, detail });
      if (via !== undefined) {
        // A person was asked about another host, and an answer about this one would come too late.
        const how = `a redirect from ${via} to another host; ask for this address itself`;
        throw new TenrecError("permission-denied", { permission, detail: `${detail} (${how})` });
      }
      if (call.grants.includes(permission)) return;
      const tooLate = call.tooLate();
      if (tooLate === undefined) throw new TenrecError("approval-required", { permission, detail });
      throw new TenrecError("permission-denied", {
        permission,
        detail: `${detail} (it needs approval, and ${tooLate})`,
      });
    },
  };
}
