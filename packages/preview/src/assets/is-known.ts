/** Whether who asks has the answer with this entity tag already. */
export function isKnown({ headers }: Request, tag: string): boolean {
  const known = headers.get("if-none-match")?.split(",") ?? [];
  return known.some((each) => each.trim().replace(/^W\//, "") === tag);
}
