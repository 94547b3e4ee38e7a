import type { OverlayState } from "./overlay/state.ts";

/**
 * What work in progress needs although no head has it. Lives and dies with the store: after a crash there is no such
 * work. An overlay pins its tree and what it brought to the store until it is collected or let go of.
 */
export class Pins {
  readonly #overlays = new Set<WeakRef<OverlayState>>();
  readonly #refs = new WeakMap<OverlayState, WeakRef<OverlayState>>();
  readonly #holds = new Set<{ readonly trees: readonly string[]; readonly contents: ReadonlySet<string> }>();

  addOverlay(state: OverlayState): void {
    const ref = new WeakRef(state);
    this.#refs.set(state, ref);
    this.#overlays.add(ref);
  }

  removeOverlay(state: OverlayState): void {
    const ref = this.#refs.get(state);
    if (ref) this.#overlays.delete(ref);
  }

  /** Until disposed. `contents` may grow meanwhile. */
  hold(trees: readonly string[], contents: ReadonlySet<string> = new Set()): Disposable {
    const hold = { trees, contents };
    this.#holds.add(hold);
    return { [Symbol.dispose]: () => void this.#holds.delete(hold) };
  }

  /** One content more, until disposed. */
  holdContent(hash: string): Disposable {
    return this.hold([], new Set([hash]));
  }

  now(): { trees: string[]; contents: Set<string> } {
    const trees: string[] = [];
    const contents = new Set<string>();
    for (const ref of this.#overlays) {
      const state = ref.deref();
      if (state === undefined) {
        this.#overlays.delete(ref);
        continue;
      }
      trees.push(state.tree);
      for (const hash of state.stored) contents.add(hash);
    }
    for (const hold of this.#holds) {
      trees.push(...hold.trees);
      for (const hash of hold.contents) contents.add(hash);
    }
    return { trees, contents };
  }
}
