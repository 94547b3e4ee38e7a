import { expect, test } from "vitest";
import { checkPrompt } from "./check-prompt.ts";

test.each([
  ["data:image/png;base64,AAAA", true],
  ["https://example.com/a.png", true],
  ["", false],
  ["photo.png", false],
  ["ftp://example.com/a.png", false],
  ["data:image/png;base64,", false],
  ["data:image/png;base64,not base64", false],
  ["http://", false],
  ["file:///etc/passwd", false],
])("a file at %j: %s", (url, accepted) => {
  const check = (): unknown => checkPrompt([{ type: "file", mediaType: "image/png", url }]);
  if (accepted) expect(check()).toHaveLength(1);
  else expect(check).toThrow(expect.objectContaining({ code: "request-invalid" }));
});
