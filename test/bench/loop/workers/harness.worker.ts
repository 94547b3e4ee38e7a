import { AiSdkHarness } from "agents/harness/ai-sdk";
import { Lifecycle } from "agents/lifecycle";
import { stepCountIs } from "ai";
import { DurableObject } from "cloudflare:workers";
import { memoryWorkspace, SYSTEM } from "./memory-tools.ts";
import { type Env, forwardToObject, TurnObject, type TurnSubject } from "./turn-object.ts";

const MAX_STEPS = 1000;

/** `AiSdkHarness` of `agents`, installed as the documentation of its sibling `ThinkHarness` shows; its files are in memory. */
export class Subject extends DurableObject<Env> {
  readonly #workspace = memoryWorkspace();
  readonly #turns = new TurnObject(this.ctx, () => this.#subject());
  readonly harness = new AiSdkHarness({
    model: this.#turns.observed.model,
    system: SYSTEM,
    tools: this.#workspace.tools,
    stopWhen: stepCountIs(MAX_STEPS),
  });
  readonly lifecycle = Lifecycle.install(this).use(this.harness);

  onRequest(request: Request): Promise<Response> {
    return this.#turns.answer(request);
  }

  #subject(): TurnSubject {
    const { tools: _tools, ...files } = this.#workspace;
    return {
      ...files,
      runTurn: async (prompt) => {
        const session = await this.harness.sessions.create();
        const { operationId } = await session.submit({ parts: [{ type: "text", text: prompt }] });
        const result = await session.wait(operationId);
        if (result.status !== "done") throw new Error(`the turn ended with: ${result.reason}`);
        return result.text ?? "";
      },
    };
  }
}

export default { fetch: forwardToObject };
