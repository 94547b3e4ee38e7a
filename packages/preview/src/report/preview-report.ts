import type { Json, PreviewEvent } from "@tenrec/protocol";

/** Something that a preview said, as it becomes a `preview` event. */
export interface PreviewReport {
  readonly session: string;
  readonly tree: string;
  readonly kind: Exclude<PreviewEvent["kind"], "ready">;
  readonly detail: Json;
}
