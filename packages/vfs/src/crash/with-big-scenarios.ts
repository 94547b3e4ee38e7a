import { maintain } from "../maintain.ts";
import type { Overlay } from "../overlay/overlay.ts";
import { type Scenario, type Scene, someBytes, type Step } from "./with-scenarios.ts";

const MEBIBYTE = 1024 * 1024;

async function* stream(mebibytes: number, seed: number): AsyncGenerator<Uint8Array> {
  const piece = someBytes(seed, MEBIBYTE);
  for (let index = 0; index < mebibytes; index++) {
    piece[0] = index;
    yield piece;
  }
}

function edit(change: (overlay: Overlay) => Promise<unknown>): Step {
  return async ({ store, storage }: Scene) => {
    using overlay = store.overlay(store.head("main"));
    await change(overlay);
    store.commit("main", await store.stage(overlay), ({ head, tree }) => {
      storage.sql.exec("INSERT INTO journal (head, tree) VALUES (?, ?)", head, tree);
    });
  };
}

const tidy: Step = async ({ store }) => maintain(store, { graceMs: 0 });
const bigInBucket: readonly Step[] = [
  async ({ store }) => store.setHead("main", store.emptyTree),
  edit((overlay) => overlay.writeFileStream("/big", stream(20, 1))),
  tidy,
];

/** Too large to be killed at every boundary. */
export const bigScenarios: readonly Scenario[] = [
  { name: "rename 20 MiB", setup: bigInBucket, steps: [edit((overlay) => overlay.mv("/big", "/renamed")), tidy] },
  { name: "shrink 20 MiB", setup: bigInBucket, steps: [edit((overlay) => overlay.writeFile("/big", "small")), tidy] },
  { name: "delete 20 MiB", setup: bigInBucket, steps: [edit((overlay) => overlay.rm("/big")), tidy] },
  {
    name: "write a stream of 100 MiB",
    setup: bigInBucket,
    steps: [edit((overlay) => overlay.writeFileStream("/stream", stream(100, 2)))],
  },
];
