import type { Gate } from "@tenrec/protocol";
import { createEgress, createTools } from "./index.ts";
import { createSearch, type TreeStore } from "@tenrec/vfs";
import { generateText, isStepCount, type LanguageModel } from "ai";

/** A coding agent: what the model did to the files is committed when it has answered, all of it or nothing. */
export async function work(store: TreeStore, model: LanguageModel, prompt: string): Promise<string> {
  const fs = store.overlay(store.head("main"));
  const gate: Gate = { require: () => undefined }; // allows everything; throw `approval-required` to ask a person first
  const seen = new Map<string, string>(); // what the model knows of the files; keep it as long as the conversation
  const outputs = new Map<string, string>(); // what did not fit into an answer
  const tools = createTools({
    fs,
    gate,
    search: createSearch(fs),
    seen: { last: (path) => seen.get(path), see: (path, hash) => void seen.set(path, hash) },
    outputs: {
      save: (text) => {
        const path = `/output/${outputs.size + 1}`;
        outputs.set(path, text);
        return path;
      },
      read: (path) => outputs.get(path),
    },
    changed: () => fs.changes().map(({ path }) => path),
    egress: createEgress({ gate }), // without it there are no web_fetch and curl
    executors: [], // what runs node, npm and tests; without one, `bash` says what is missing
    operationId: crypto.randomUUID(),
  });
  const { text } = await generateText({ model, tools, prompt, stopWhen: isStepCount(50) });
  store.commit("main", await store.stage(fs));
  return text;
}
