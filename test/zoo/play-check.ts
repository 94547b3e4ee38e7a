import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Answer, askHost } from "./ask-host.ts";
import type { Check, ExchangeCheck, HttpCheck, Step, Wanted } from "./check.ts";
import { Connections } from "./connections.ts";
import type { Host } from "./host.ts";

/** What came of a check on one host. */
export interface Outcome {
  /** What is not as wanted; empty where all is. */
  readonly wrong: readonly string[];
  /** What the outcome on another host must be equal to, in lines. */
  readonly record: readonly string[];
}

const EVENTUALLY_MS = 15_000;
const PAUSE_MS = 150;

/** Does what a check says with a host. Never throws. */
export async function playCheck(host: Host, check: Check): Promise<Outcome> {
  try {
    return await ("steps" in check ? playExchange(host, check) : playHttp(host, check));
  } catch (error) {
    const text = `failed: ${error instanceof Error ? error.message : String(error)}`;
    return { wrong: [text], record: [text] };
  }
}

async function playHttp(host: Host, check: HttpCheck): Promise<Outcome> {
  const patience = check.eventually ? EVENTUALLY_MS : 0;
  const start = performance.now();
  for (;;) {
    const answer = await askHost(host, check);
    const wrong = wrongIn(answer, check);
    if (wrong.length === 0 || performance.now() - start >= patience) return { wrong, record: recordOf(answer, check) };
    await sleep(PAUSE_MS);
  }
}

async function playExchange(host: Host, { steps }: ExchangeCheck): Promise<Outcome> {
  const connections = new Connections(host);
  const [wrong, record]: [string[], string[]] = [[], []];
  try {
    for (const step of steps) {
      const outcome = await playStep(host, connections, step);
      wrong.push(...outcome.wrong);
      record.push(...outcome.record);
    }
  } finally {
    connections.closeAll();
  }
  return { wrong, record };
}

async function playStep(host: Host, connections: Connections, step: Step): Promise<Outcome> {
  if ("ask" in step) return playHttp(host, step);
  if ("socket" in step) return line(await connections.socket(step.socket, step.path), "open");
  if ("stream" in step) return line(await connections.stream(step.stream, step.path), /^200 /);
  if ("send" in step) return line(connections.send(step.send, step.data), "sent");
  if ("close" in step) return line(connections.close(step.close, step.code, step.reason), "closing");
  if ("receive" in step) {
    const text = await connections.receive(step.receive, (each) => fits(each, step.data));
    return line(text, step.data);
  }
  const { closed, code, reason = "" } = step;
  return line(await connections.closed(closed), code === undefined ? /./ : `closed ${code} ${reason}`.trim());
}

function line(text: string, wanted: Wanted): Outcome {
  return { wrong: fits(text, wanted) ? [] : [`${show(text)} is not ${show(wanted)}`], record: [text] };
}

function wrongIn({ status, headers, text }: Answer, check: HttpCheck): string[] {
  const wrong = status === check.status ? [] : [`status ${status} is not ${check.status}: ${show(text)}`];
  for (const [name, wanted] of Object.entries(check.gives ?? {})) {
    const value = headers[name];
    const isRight = wanted === null ? value === undefined : value !== undefined && fits(value, wanted);
    if (!isRight) wrong.push(`${name}: ${show(value ?? "(absent)")} is not ${show(wanted ?? "(absent)")}`);
  }
  if (check.text !== undefined && !fits(text, check.text)) wrong.push(`body ${show(text)} is not ${show(check.text)}`);
  if (check.is !== undefined && !isDeepStrictEqual(parsed(text), check.is)) {
    wrong.push(`body ${show(text)} is not ${JSON.stringify(check.is)}`);
  }
  return wrong;
}

/** Of the connection and of the day, and what a preview adds and changes on purpose. */
const NOT_COMPARED = new Set([
  "connection",
  "content-length",
  "cross-origin-opener-policy",
  "date",
  "keep-alive",
  "referrer-policy",
  "set-cookie",
  "transfer-encoding",
  "x-robots-tag",
]);

function recordOf({ status, headers, text }: Answer, { varies, varying = [], apart }: HttpCheck): string[] {
  if (apart) return [];
  const isOfApp = (name: string): boolean =>
    !NOT_COMPARED.has(name) && !name.startsWith("cf-") && !varying.includes(name);
  const names = Object.keys(headers).filter(isOfApp);
  const lines = names.toSorted().map((name) => `${name}: ${headers[name]}`);
  return [`${status}`, ...lines, varies ? text.replaceAll(new RegExp(varies, "g"), "…") : text];
}

function fits(text: string, wanted: Wanted): boolean {
  return typeof wanted === "string" ? text === wanted : wanted.test(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(text: Wanted): string {
  const shown = typeof text === "string" ? JSON.stringify(text) : String(text);
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}…` : shown;
}

const MOST_SHOWN = 400;
