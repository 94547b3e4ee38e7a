import { asAgentHarness, CodingAgent, type ModelFactory } from "@tenrec/runtime";
import { type Env, forwardToObject, TurnObject, type TurnSubject } from "./turn-object.ts";

/** A `CodingAgent` as `@tenrec/runtime`'s README shows it. */
export class Subject extends CodingAgent<Env & Cloudflare.Env> {
  model = "bench/observed";
  // A turn of the benchmark may have more steps than the default allows.
  override budget = { turn: { steps: 1000 } };
  override providers: Record<string, ModelFactory<Env>> = { bench: () => this.#turns.observed.model };
  readonly #turns = new TurnObject(this.ctx, () => this.#subject());

  override onRequest(request: Request): Promise<Response> {
    return this.#turns.answer(request);
  }

  #subject(): TurnSubject {
    const { trees } = this.workspace;
    const below = (path: string): string => path.replace("/workspace", "");
    return {
      async importFiles(files) {
        const overlay = trees.overlay(trees.head("main"));
        for (const { path, text } of files) await overlay.writeFile(below(path), text);
        trees.commit("main", await trees.stage(overlay));
      },
      runTurn: async (prompt) => {
        const session = await asAgentHarness(this).sessions.create();
        const { operationId } = await session.submit({ parts: [{ type: "text", text: prompt }] });
        const result = await session.wait(operationId);
        if (result.status !== "done") throw new Error(`the turn ended with: ${result.reason}`);
        return result.text ?? "";
      },
      readText: (path) => trees.overlay(trees.head("main")).readFile(below(path)),
    };
  }
}

export default { fetch: forwardToObject };
