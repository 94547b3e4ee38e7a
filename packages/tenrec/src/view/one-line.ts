/** Line ends become `⏎`, and what could steer a terminal becomes `�`. */
export function oneLine(value: string): string {
  return value
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replace(/\t/g, " ")
    .replace(/\p{Cc}|\p{Bidi_Control}/gu, "�");
}
