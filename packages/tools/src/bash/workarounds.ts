import type { Bash } from "just-bash/browser";
import { expandBeforeAssigning } from "./assigned-words.ts";
import { splitCommandWord } from "./command-words.ts";
import { mendDeclaredArrays } from "./declared-arrays.ts";
import { eachInSubshell } from "./piped-commands.ts";
import { mendRedirections } from "./redirections.ts";
import { mendScriptFile } from "./script-files.ts";
import type { Pipeline, SimpleCommand, Statement } from "./syntax-nodes.ts";
import { endsAtErrors, outsideOfErrexit, testPipelines } from "./tested-pipelines.ts";

type Plugin = Parameters<Bash["registerTransformPlugin"]>[0];
type Node = Record<string, unknown>;

/**
 * What just-bash does otherwise than bash, written such that it does the same. What `source` parses is not reached by it.
 */
export const WORKAROUNDS: Plugin = {
  name: "workarounds",
  transform: ({ ast }) => {
    const late: Late = { tested: [], endsAtErrors: false };
    visit(ast, late);
    if (late.endsAtErrors) for (const test of late.tested) test();
    return { ast };
  },
};

/** What is only to be done in a script that ends at errors, which is known at its end. */
interface Late {
  readonly tested: (() => void)[];
  endsAtErrors: boolean;
}

/** Inner nodes first: what takes a node's place is not visited. */
function visit(node: unknown, late: Late): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const part of node) visit(part, late);
    return;
  }
  for (const value of Object.values(node)) visit(value, late);
  mend(node as Node, late);
}

function mend(node: Node, late: Late): void {
  switch (node["type"]) {
    case "SimpleCommand": {
      const command = node as unknown as SimpleCommand;
      late.endsAtErrors ||= endsAtErrors(command);
      mendScriptFile(command);
      splitCommandWord(command);
      break;
    }
    case "ParameterExpansion":
      if (/^BASH_SOURCE(\[0\])?$/.test(String(node["parameter"]))) node["parameter"] = "__bash_source";
      break;
    case "For":
      // `for each; do`: just-bash splits the arguments at blanks.
      node["words"] ??= [{ type: "Word", parts: [{ type: "DoubleQuoted", parts: [ALL_ARGUMENTS] }] }];
      break;
    case "Pipeline":
      expandBeforeAssigning(node as unknown as Pipeline);
      eachInSubshell(node as unknown as Pipeline);
      break;
    case "Statement":
      mendDeclaredArrays(node as unknown as Statement);
      late.tested.push(() => testPipelines(node as unknown as Statement));
      break;
    case "CommandSubstitution":
      late.tested.push(() => outsideOfErrexit(node["body"] as Parameters<typeof outsideOfErrexit>[0]));
      break;
  }
  if (Array.isArray(node["redirections"])) node["redirections"] = mendRedirections(node["redirections"] as Node[]);
}

const ALL_ARGUMENTS = { type: "ParameterExpansion", parameter: "@", operation: null } as const;
