/** A text without what would steer the terminal; tabs and line ends stay. */
export function visible(text: string): string {
  return text.replace(/\r(?=\n)/g, "").replace(/(?![\t\n])\p{Cc}/gu, "�");
}
