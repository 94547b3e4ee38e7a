/** Joins JSON texts into arrays of at most `size` UTF-16 units, in order; a text that is larger comes alone. */
export function* jsonArrays(texts: Iterable<string>, size: number): Generator<string> {
  let batch: string[] = [];
  let length = 0;
  for (const text of texts) {
    if (batch.length > 0 && length + text.length > size) {
      yield `[${batch.join(",")}]`;
      batch = [];
      length = 0;
    }
    batch.push(text);
    length += text.length + 1;
  }
  if (batch.length > 0) yield `[${batch.join(",")}]`;
}
