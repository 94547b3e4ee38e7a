/** The last line of a terminal, which says what is going on while nothing else is printed. */
export interface StatusLine extends Disposable {
  /** Prints above it. */
  write(text: string): void;
  /** What is going on; empty for nothing. */
  set(text: string): void;
}

export interface StatusOptions {
  readonly write: (text: string) => void;
  readonly width: number;
  /** False where the cursor cannot be moved: then nothing is ever drawn. */
  readonly isTerminal: boolean;
  readonly now: () => number;
}

const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
const REDRAW_MS = 120;
/** Longer than pieces of a text are apart, so that it does not flicker between them. */
const QUIET_MS = 400;

/** Draws the line after a moment of silence, where the cursor is at the start of a line, and removes it before a text. */
export function statusLine({ write, width, isTerminal, now }: StatusOptions): StatusLine {
  let text = "";
  let since = now();
  let lastWrite = 0;
  let isAtStart = true;
  let isShown = false;
  let frame = 0;

  const clear = (): void => {
    if (isShown) write("\r\u001b[2K");
    isShown = false;
  };
  const draw = (): void => {
    if (text === "" || !isAtStart || now() - lastWrite < QUIET_MS) return;
    frame = (frame + 1) % FRAMES.length;
    const seconds = Math.floor((now() - since) / 1000);
    const line = `${FRAMES[frame]} ${text}${seconds > 0 ? ` (${seconds} s)` : ""}`;
    // Never as wide as the terminal: it would wrap, and could not be removed.
    write(
      `\r\u001b[2K${Array.from(line)
        .slice(0, width - 1)
        .join("")}`,
    );
    isShown = true;
  };
  const timer = isTerminal ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();

  return {
    write(piece) {
      if (piece === "") return;
      clear();
      write(piece);
      isAtStart = piece.endsWith("\n");
      lastWrite = now();
    },
    set(next) {
      if (next === text) return;
      text = next;
      since = now();
      if (text === "") clear();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
      text = "";
    },
  };
}
