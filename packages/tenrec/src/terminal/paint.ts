import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is where colours are not wanted. */
export type Paint = (style: Style, text: string) => string;

export const plain: Paint = (_style, text) => text;

export const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** Colours on a terminal, unless `NO_COLOR` is set to anything, as https://no-color.org asks. */
export function choosePaint(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb" ? coloured : plain;
}
