const HTML = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i;

/** Whether an answer is a page that can be read and written as it streams by: HTML, in an encoding that holds ASCII, not packed. */
export function isOpenPage({ headers, body }: Response): boolean {
  const type = headers.get("content-type") ?? "";
  return body !== null && HTML.test(type) && !/charset=["']?utf-16/i.test(type) && !headers.has("content-encoding");
}
