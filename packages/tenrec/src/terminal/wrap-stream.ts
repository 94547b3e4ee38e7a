/** Wraps a text that arrives in pieces, each written as soon as its last word is complete. */
export interface WrapStream {
  add(text: string): void;
  /** Writes what is left, and ends the line. Nothing when nothing was added. */
  end(): void;
}

/** Breaks lines between words so that none is longer than `width`; a longer word has a line of its own. */
export function wrapStream(write: (text: string) => void, width: number, indent = ""): WrapStream {
  let column = 0;
  let started = false;
  let pending = "";

  const word = (text: string): void => {
    const length = Array.from(text).length;
    const space = column === 0 ? "" : " ";
    if (column > 0 && column + space.length + length > width - indent.length) {
      write(`\n${indent}${text}`);
      column = length;
    } else {
      write(`${column === 0 ? indent : space}${text}`);
      column += space.length + length;
    }
  };
  const flush = (): void => {
    if (pending !== "") word(pending);
    pending = "";
  };

  return {
    add(text) {
      started ||= text !== "";
      for (const piece of text.split(/(\s)/)) {
        if (piece === "") continue;
        if (!/\s/.test(piece)) {
          pending += piece;
          continue;
        }
        flush();
        if (piece !== "\n") continue;
        write("\n");
        column = 0;
      }
    },
    end() {
      flush();
      if (started && column > 0) write("\n");
      column = 0;
      started = false;
    },
  };
}
