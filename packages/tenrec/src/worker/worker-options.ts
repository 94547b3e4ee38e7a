import { isPermission, type Permission } from "../permission.ts";
import { z } from "zod";

/** What the command tells the Worker, as JSON in the variable `TENREC_OPTIONS`. */
export interface WorkerOptions {
  /** `provider/name`, or `scripted/…` with a script. */
  readonly model: string;
  readonly permission: Permission;
  /** US dollars that one turn may cost. Default: the agent's own cap. */
  readonly maxUsd?: number | undefined;
  /** Model calls of one turn. Default: the agent's own cap. */
  readonly maxSteps?: number | undefined;
  /** Added to the system prompt. */
  readonly instructions?: string | undefined;
  /** A script of testkit that plays the model `scripted/…`; checked when it is played. */
  readonly script?: unknown;
}

const schema = z.strictObject({
  model: z.string().regex(/^[^/]+\/.+/, "must be provider/name"),
  permission: z.string().refine(isPermission, "is no preset"),
  maxUsd: z.number().positive().optional(),
  maxSteps: z.int().positive().optional(),
  instructions: z.string().optional(),
  script: z.unknown().optional(),
});

/** Reads what `JSON.stringify` made of the options. Throws an error that names every field that is wrong. */
export function parseWorkerOptions(text: string | undefined): WorkerOptions {
  if (text === undefined) throw new Error("TENREC_OPTIONS is not set: this Worker is started by the command tenrec.");
  const { data, error } = schema.safeParse(JSON.parse(text));
  if (data) return data;
  throw new Error(`TENREC_OPTIONS is not valid:\n${z.prettifyError(error)}`);
}
