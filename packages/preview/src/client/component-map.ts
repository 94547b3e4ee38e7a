import { decodedMappings, encodedMappings, TraceMap } from "@jridgewell/trace-mapping";
import type { PartMap } from "./compile/page-compiler.ts";
import { mapComment } from "./line-map.ts";

type Segments = ReturnType<typeof decodedMappings>[number];

/** A comment with the source map of a component, put together from those of its parts. */
export function componentMapComment(name: string, source: string, parts: readonly PartMap[]): string {
  const mappings: Segments[number][][] = [];
  for (const { line, mappings: part } of parts) {
    for (const [index, segments] of decodedMappings(traced(part)).entries()) {
      const here = (mappings[line + index] ??= []);
      here.push(...segments);
    }
  }
  const lines = Array.from(mappings, (segments) => (segments ?? []).toSorted((a, b) => a[0] - b[0]));
  return mapComment(name, source, encodedMappings(traced(lines)));
}

function traced(mappings: string | Segments[number][][]): TraceMap {
  const map = { version: 3 as const, sources: ["source"], names: [] };
  // What names things is left out: nobody looks at it.
  if (typeof mappings === "string") return new TraceMap({ ...map, mappings });
  return new TraceMap({ ...map, mappings: mappings.map((segments) => segments.map(withoutName)) });
}

function withoutName(segment: Segments[number]): Segments[number] {
  return segment.length === 5 ? [segment[0], segment[1], segment[2], segment[3]] : segment;
}
