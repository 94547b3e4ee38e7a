import { Think } from "@cloudflare/think";
import type { LanguageModel, ToolSet } from "ai";
import { SYSTEM, toolsOver } from "./memory-tools.ts";
import { importTexts } from "../../frame/import-texts.ts";
import { type Env, forwardToObject, TurnObject, type TurnSubject } from "./turn-object.ts";
import { workspaceFileSystem } from "./workspace-file-system.ts";

/**
 * `Think` of `@cloudflare/think` as its own documentation shows it, with its workspace and that one's `read` and `edit`. It
 * has no shell in the object, so it gets Tenrec's, over its own workspace.
 */
export class Subject extends Think<Env & Cloudflare.Env> {
  override maxSteps = 1000;
  readonly #turns = new TurnObject(this.ctx, () => this.#subject());

  override getModel(): LanguageModel {
    return this.#turns.observed.model;
  }

  override getSystemPrompt(): string {
    return SYSTEM;
  }

  override getTools(): ToolSet {
    const { bash } = toolsOver(workspaceFileSystem(this.workspace.fs));
    return bash ? { bash } : {};
  }

  override onRequest(request: Request): Promise<Response> {
    return this.#turns.answer(request);
  }

  #subject(): TurnSubject {
    const { fs } = this.workspace;
    return {
      importFiles: (files) => importTexts(fs, files),
      runTurn: async (prompt) => {
        const message = { id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text: prompt }] } as const;
        const { submissionId } = await this.submitMessages([{ ...message, parts: [...message.parts] }]);
        const settled = await this.waitForSubmission(submissionId);
        if (settled?.status !== "completed") throw new Error(`the turn ended with: ${JSON.stringify(settled)}`);
        const answer = (await this.getMessages()).find(({ id }) => id === settled.messageId);
        const last = answer?.parts.findLast((part) => part.type === "text");
        return last?.type === "text" ? last.text : "";
      },
      readText: (path) => fs.readFile(path, "utf8"),
    };
  }
}

export default { fetch: forwardToObject };
