import { hasCode } from "@tenrec/protocol";
import type { World } from "./with-world.ts";
import { Watcher } from "./with-watcher.ts";
import type { PlatformSocket } from "./with-world.ts";

/** A prompt as the one who sends it knows it. */
export interface Prompt {
  readonly session: string;
  readonly operationId: string;
  readonly whenBusy: "followUp" | "steer";
  isAcknowledged: boolean;
  isUnderWay: boolean;
}

interface Tab {
  readonly watcher: Watcher;
  socket?: PlatformSocket;
}

/** The clients of the object: they send, send again, steer, stop, answer twice, lose their connection and come back. */
export class People {
  readonly prompts: Prompt[] = [];
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #tabs: readonly Tab[];
  readonly #answered = new Map<string, boolean>();
  #left: number;

  constructor(world: World) {
    this.#world = world;
    this.#left = world.plan.prompts;
    this.#tabs = world.plan.sessions.flatMap((session) => [
      { watcher: new Watcher(session) },
      { watcher: new Watcher(session) },
    ]);
    world.onReset = () => {
      for (const prompt of this.prompts) prompt.isUnderWay = false;
      for (const tab of this.#tabs) this.#disconnect(tab);
    };
  }

  get watchers(): Watcher[] {
    return this.#tabs.map(({ watcher }) => watcher);
  }

  /** True when everybody has said what there is to say and was heard. */
  get isDone(): boolean {
    return this.#left === 0 && this.prompts.every((prompt) => prompt.isAcknowledged);
  }

  /** Somebody does something. */
  act(): void {
    const { chance } = this.#world;
    const act = chance.below(10);
    if (act < 3) this.#prompt();
    else if (act < 4) this.#sendAgain();
    else if (act < 5 && chance.is(0.3)) this.#abort();
    else if (act < 7) this.answer();
    else this.#connectOrNot(chance.pick(this.#tabs));
  }

  /** What is left to do once nothing dies any more. */
  finish(): void {
    while (this.#left > 0) this.#prompt();
    for (const prompt of this.prompts) if (!prompt.isAcknowledged && !prompt.isUnderWay) this.#send(prompt);
    this.answer();
  }

  /** Everybody sees all there is. */
  async lookAtAll(): Promise<void> {
    for (const tab of this.#tabs) {
      if (!tab.socket) this.#connect(tab);
    }
    while ((await this.#world.scheduler.step()) !== undefined);
  }

  #prompt(): void {
    if (this.#left === 0) return;
    this.#left -= 1;
    const { chance, plan } = this.#world;
    const prompt: Prompt = {
      session: chance.pick(plan.sessions),
      operationId: `o${this.prompts.length + 1}`,
      whenBusy: chance.is(0.4) ? "steer" : "followUp",
      isAcknowledged: false,
      isUnderWay: false,
    };
    this.prompts.push(prompt);
    this.#send(prompt);
  }

  #sendAgain(): void {
    const { chance } = this.#world;
    const known = this.prompts.filter((prompt) => !prompt.isUnderWay);
    if (known.length > 0) this.#send(chance.pick(known));
  }

  #send(prompt: Prompt): void {
    const { session, operationId, whenBusy } = prompt;
    prompt.isUnderWay = true;
    this.#ask(async ({ sessions }) => {
      await sessions.submit(session, `<${operationId}>`, { operationId, whenBusy });
      prompt.isAcknowledged = true;
      this.#world.trace.push(`${this.#world.scheduler.now} acknowledged ${operationId}`);
    }).then(
      () => {
        prompt.isUnderWay = false;
      },
      () => {
        prompt.isUnderWay = false;
      },
    );
  }

  #abort(): void {
    const { chance, plan } = this.#world;
    const session = chance.pick(plan.sessions);
    const own = this.prompts.filter((prompt) => prompt.session === session);
    const one = chance.is(0.5) && own.length > 0 ? chance.pick(own).operationId : undefined;
    this.#ask(({ sessions }) => sessions.abort(session, one)).catch(() => {});
  }

  /** Answers one question, and sometimes a second time, otherwise. */
  answer(): void {
    const { chance, plan } = this.#world;
    const session = chance.pick(plan.sessions);
    this.#ask(async ({ sessions }) => {
      const [waiting] = sessions.pending(session);
      const old = [...this.#answered.keys()];
      const approvalId = old.length > 0 && chance.is(0.3) ? chance.pick(old) : waiting?.approvalId;
      if (approvalId === undefined) return;
      const approved = chance.is(0.6);
      await sessions.answer(session, approvalId, { approved });
      if (this.#answered.has(approvalId)) this.violations.push(`I2: ${approvalId} was answered twice`);
      this.#answered.set(approvalId, approved);
    }).catch((error: unknown) => {
      if (hasCode(error, "approval-not-found") && this.#answered.size === 0)
        this.violations.push("I2: a question is lost");
    });
  }

  /** A request to the object, wherever it is now. */
  async #ask<T>(run: (instance: ReturnType<World["instance"]>) => T | Promise<T>): Promise<T> {
    await this.#world.scheduler.pause(undefined, "request");
    return run(this.#world.instance());
  }

  #connectOrNot(tab: Tab): void {
    if (tab.socket) this.#disconnect(tab);
    else this.#connect(tab);
  }

  #disconnect(tab: Tab): void {
    if (tab.socket) this.#world.sockets.delete(tab.socket);
    delete tab.socket;
    tab.watcher.disconnected();
  }

  #connect(tab: Tab): void {
    const { scheduler, chance, sockets } = this.#world;
    const { watcher } = tab;
    // What was sent arrives later, in its order, unless the connection is lost before.
    const sent: string[] = [];
    const socket: PlatformSocket = {
      tags: [],
      send: (message) => {
        if (!sockets.has(socket)) throw new Error("closed");
        sent.push(message);
        scheduler.after(undefined, chance.below(200), "message", () => {
          const next = sent.shift();
          if (tab.socket === socket && next !== undefined) watcher.receive(next);
        });
      },
    };
    // A tab that was restored from an older state asks for what it has seen already.
    const after = chance.is(0.2) ? chance.below(watcher.after + 1) : watcher.after;
    tab.socket = socket;
    try {
      this.#world.instance().sockets.welcome(socket as unknown as WebSocket, watcher.session, after);
    } catch {
      this.#disconnect(tab);
    }
  }
}
