import { stepCountIs, streamText } from "ai";
import { DurableObject } from "cloudflare:workers";
import { memoryWorkspace, SYSTEM } from "./memory-tools.ts";
import { type Env, forwardToObject, TurnObject, type TurnSubject } from "./turn-object.ts";

const MAX_STEPS = 1000;

/** `streamText` of `ai`, as its documentation shows, with tools over memory: nothing is kept. */
export class Subject extends DurableObject<Env> {
  readonly #workspace = memoryWorkspace();
  readonly #turns = new TurnObject(this.ctx, () => this.#subject());

  override fetch(request: Request): Promise<Response> {
    return this.#turns.answer(request);
  }

  #subject(): TurnSubject {
    const { tools, ...files } = this.#workspace;
    const { model } = this.#turns.observed;
    return {
      ...files,
      async runTurn(prompt) {
        const result = streamText({ model, system: SYSTEM, prompt, tools, stopWhen: stepCountIs(MAX_STEPS) });
        for await (const part of result.stream) if (part.type === "error") throw part.error;
        return result.text;
      },
    };
  }
}

export default { fetch: forwardToObject };
