import { replacing, type SedCommand, type SedParts } from "./sed-script.ts";

/** Commands that leave alone what is held, and go to no other line. */
const PLAIN = /^[sypPl={}btT:#]$/;

/**
 * A script that begins with a loop which takes all lines together, such as `:a;N;$!ba;s/\n/ /g`, as one that does it a line
 * a cycle. just-bash ends a cycle after so many steps and has no pause in it, which is right for loops that do not end; this
 * one goes on for as long as there are lines. `undefined` for a script without one.
 */
export function withoutLoop(commands: readonly SedCommand[]): readonly SedCommand[] | undefined {
  const loop = loopOf(commands);
  if (loop === undefined) return undefined;
  const rest = commands.slice(loop.length);
  const isPlain = rest.every(
    ({ name, argument }) => PLAIN.test(name) && !(/[btT]/.test(name) && argument.trim() === loop.label),
  );
  if (!isPlain) return undefined;
  // What came so far is held. `H` would lose the first of two empty lines here.
  const first = [...(loop.endsAtOne ? [command("$", "q")] : []), command("", "h"), command("$!", "d")];
  const others = [command("", "x"), command("", "G"), command("", "h"), command("$!", "d")];
  return [...group("1", first), ...group("1!", others), ...loop.joins, ...(loop.endsAlways ? [] : rest)];
}

interface Loop {
  readonly label: string;
  /** How many commands it is. */
  readonly length: number;
  /** A first line that is the last one too ends the script, as `N` does. */
  readonly endsAtOne: boolean;
  /** So does every last line, and what follows is never done. */
  readonly endsAlways: boolean;
  /** What is done with each line end, in place of the whole. */
  readonly joins: readonly SedCommand[];
}

/** Commands without the label: what they are, and how the loop ends. */
const LOOPS: readonly (readonly [shape: string, endsAtOne: boolean, endsAlways: boolean])[] = [
  ["N $!b", true, false],
  ["$!N $!b", false, false],
  ["$!{ N b }", false, false],
  ["$!{ N s b }", false, false],
  ["$!{ N s t }", false, false],
  ["$!N s t", false, false],
  ["N s t", true, true],
  ["N s b", true, true],
  ["{ N s } b", true, true],
  ["{ N s } t", true, true],
  ["{ N s b }", true, true],
  ["{ N s t }", true, true],
];

function loopOf([start, ...commands]: readonly SedCommand[]): Loop | undefined {
  if (start?.name !== ":") return undefined;
  const label = start.argument.trim();
  const shapes = commands.slice(0, 5).map(({ address, name }) => address + name);
  for (const [shape, endsAtOne, endsAlways] of LOOPS) {
    const { length } = shape.split(" ");
    if (shapes.slice(0, length).join(" ") !== shape) continue;
    const own = commands.slice(0, length);
    const back = own.find(({ name }) => name === "b" || name === "t");
    const join = own.find(({ name }) => name === "s");
    const joint = join?.parts && jointOf(join.parts);
    if (back?.argument.trim() !== label || (join && !joint)) continue;
    const joins = join && joint ? [replacing(join, joint)] : [];
    return { label, length: length + 1, endsAtOne, endsAlways, joins };
  }
  return undefined;
}

/** All line ends for something that has none and is none, where this replaces one. */
function jointOf({ mark, from, to, flags }: SedParts): SedParts | undefined {
  const isOther = /^(?:[^\\&\n]|\\[^\dn\n])*$/.test(to);
  return from === "\\n" && isOther && /^g?$/.test(flags) ? { mark, from, to, flags: "g" } : undefined;
}

function command(address: string, name: string): SedCommand {
  return { address, name, argument: "" };
}

function group(address: string, commands: readonly SedCommand[]): SedCommand[] {
  return [command(address, "{"), ...commands, command("", "}")];
}
