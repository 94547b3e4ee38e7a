import type { Step } from "./machine.ts";

/** A place among the steps, known when it was come to. */
export interface Label {
  at: number;
}

/** Writes steps one after another. */
export class StepWriter {
  readonly #steps: Step[];

  constructor(steps: Step[]) {
    this.#steps = steps;
  }

  /** `make` is given the place of the step. */
  step(make: (at: number) => Step): void {
    this.#steps.push(make(this.#steps.length));
  }

  /** Something that the next step follows. */
  does(action: () => void): void {
    this.step((at) => {
      const next = at + 1;
      return () => {
        action();
        return next;
      };
    });
  }

  jump(to: Label): void {
    this.step(() => () => to.at);
  }

  jumpUnless(test: () => boolean, to: Label): void {
    this.step((at) => {
      const next = at + 1;
      return () => (test() ? next : to.at);
    });
  }

  place(label: Label): void {
    label.at = this.#steps.length;
  }
}
