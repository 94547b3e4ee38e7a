import { TenrecError } from "@tenrec/protocol";
import type { Script } from "./script.ts";

/** Checks that a value, such as the content of a JSON file, is a script. Throws `request-invalid` naming every defect. */
export function parseScript(value: unknown): Script {
  const problems = [...checkScript(value)];
  if (problems.length > 0) throw new TenrecError("request-invalid", { reason: `not a script: ${problems.join("; ")}` });
  return value as Script;
}

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isName: Check = (value) => typeof value === "string" && value !== "";
const isFlag: Check = (value) => typeof value === "boolean";
const isAmount: Check = (value) => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 1;
const isStatus: Check = (value) => Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599;
const isAnyStatus: Check = (value) => value === 200 || isStatus(value);
const isTrue: Check = (value) => value === true;

/** Fields by kind of part; a name that ends in `?` may be left out. The first one names the kind. */
const PARTS: readonly Readonly<Record<string, Check>>[] = [
  { text: isText },
  { reasoning: isText },
  { call: isName, input: isJson, "id?": isName },
  { call: isName, rawInput: isText, "id?": isName },
  { delay: isAmount },
  { cut: (value) => value === true || value === "clean", "times?": isCount },
  { stall: isTrue, "times?": isCount },
  { raw: isText, "status?": isAnyStatus, "contentType?": isName, "times?": isCount },
];
const ERROR = {
  message: isText,
  "status?": isStatus,
  "code?": isName,
  "retryAfter?": isAmount,
  "retryAfterDate?": isFlag,
  "inStream?": isFlag,
  "times?": isCount,
};
const PROMPT = { "includes?": isText, "media?": isName };
const RESULT = { "tool?": isName, "includes?": isText, "isError?": isFlag, "media?": isName };
const USAGE = Object.fromEntries(
  ["inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens", "reasoningTokens"].map((name) => [
    `${name}?`,
    isAmount,
  ]),
);

function* checkScript(value: unknown): Generator<string> {
  if (!isObject(value)) return yield "it is not an object";
  yield* checkFields("", value, { model: isName, steps: Array.isArray, "pace?": isAmount });
  if (!Array.isArray(value["steps"])) return;
  if (value["steps"].length === 0) yield "steps is empty";
  for (const [index, step] of value["steps"].entries()) yield* checkStep(`steps[${index}]`, step);
}

function* checkStep(at: string, step: unknown): Generator<string> {
  if (!isObject(step)) return yield `${at} is not an object`;
  yield* checkFields(`${at}.`, step, {
    "when?": isObject,
    say: Array.isArray,
    "usage?": (usage) => usage === null || isObject(usage),
    "finishReason?": isName,
  });
  if (isObject(step["when"])) yield* checkCondition(`${at}.when`, step["when"]);
  if (isObject(step["usage"])) yield* checkFields(`${at}.usage.`, step["usage"], USAGE);
  if (!Array.isArray(step["say"])) return;
  for (const [index, part] of step["say"].entries()) yield* checkPart(`${at}.say[${index}]`, part);
}

function* checkCondition(at: string, when: Fields): Generator<string> {
  const { prompt, result } = when;
  if (Object.keys(when).length !== 1) yield `${at} needs either prompt or result`;
  else if (isObject(prompt)) yield* checkFields(`${at}.prompt.`, prompt, PROMPT);
  else if (isObject(result)) yield* checkFields(`${at}.result.`, result, RESULT);
  else yield `${at} needs an object under prompt or result`;
}

function* checkPart(at: string, part: unknown): Generator<string> {
  if (!isObject(part)) return yield `${at} is not an object`;
  if (isObject(part["error"])) {
    yield* checkFields(`${at}.`, part, { error: isObject });
    return yield* checkFields(`${at}.error.`, part["error"], ERROR);
  }
  const kinds = PARTS.filter((kind) => Object.keys(kind).every((name) => name.endsWith("?") || name in part));
  const [kind] = kinds;
  if (!kind)
    return yield `${at} is none of text, reasoning, call with input or rawInput, delay, error, cut, stall, raw`;
  yield* checkFields(`${at}.`, part, kind);
}

function* checkFields(at: string, value: Fields, fields: Readonly<Record<string, Check>>): Generator<string> {
  for (const [name, check] of Object.entries(fields)) {
    const key = name.replace("?", "");
    const isAbsent = value[key] === undefined;
    if (isAbsent && !name.endsWith("?")) yield `${at}${key} is missing`;
    if (!isAbsent && !check(value[key])) yield `${at}${key} is not valid: ${JSON.stringify(value[key])}`;
  }
  const known = Object.keys(fields).map((name) => name.replace("?", ""));
  for (const key of Object.keys(value)) if (!known.includes(key)) yield `${at}${key} is not known`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== "function";
}
