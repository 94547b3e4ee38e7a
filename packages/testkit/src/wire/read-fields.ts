import { Refusal } from "./refusal.ts";

export type Fields = Readonly<Record<string, unknown>>;

export function object(at: string, value: unknown): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalid(`${at} is not an object`);
}

/** The fields of an object, or none when it is something else. */
export function optional(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function list(at: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw invalid(`${at} is not a list`);
}

export function text(at: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw invalid(`${at} is not a string`);
}

export function invalid(reason: string): Refusal {
  return new Refusal(400, reason);
}
