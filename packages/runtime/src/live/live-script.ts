import { CONNECT_SCRIPT } from "./connect-script.ts";
import { ERRORS_SCRIPT } from "./errors-script.ts";
import { OVERLAY_SCRIPT } from "./overlay-script.ts";

export interface LiveScript {
  /** Root hash of the tree that the page is of. */
  readonly tree: string;
  /** The path below which the app is, with a slash at its end. */
  readonly base: string;
  readonly nonce: string;
}

/**
 * The element that keeps a page up to date, and tells what goes wrong in it. It runs first, and takes itself out. It is of one
 * line, so that lines of the page stay those of its file.
 */
export function liveScript({ tree, base, nonce }: LiveScript): string {
  return `<script nonce="${nonce}" data-tree="${tree}" data-base="${base}">${SCRIPT}</script>`;
}

const SCRIPT = `(() => {
  const { currentScript } = document;
  const { dataset: { tree, base } } = currentScript;
  currentScript.remove();
  ${CONNECT_SCRIPT}
  ${OVERLAY_SCRIPT}
  ${ERRORS_SCRIPT}
  connect();
})();`.replaceAll(/\n\s*/g, " ");
