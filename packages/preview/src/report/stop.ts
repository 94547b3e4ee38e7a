import { ENDLESS_LOOP } from "../inside/endless-loop-error.ts";
import type { Thrown } from "../inside/thrown.ts";

/** What others have put before it on its way. */
const NAMES = new RegExp(`^(?:Error: )*${ENDLESS_LOOP}: `);

/** Whether an app was stopped, or says so. */
export function isStop({ name, message }: Pick<Thrown, "name" | "message">): boolean {
  return name === ENDLESS_LOOP || NAMES.test(message);
}

/** Such an error with its stack, which it has brought in its message, in its own place. */
export function readStop({ message, stack }: Thrown): Thrown {
  const said = message.replace(NAMES, "");
  const at = said.indexOf("\n    at ");
  if (at === -1) return { name: ENDLESS_LOOP, message: said, stack };
  return { name: ENDLESS_LOOP, message: said.slice(0, at), stack: said.slice(at + 1) };
}
