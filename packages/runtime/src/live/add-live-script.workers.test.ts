import { describe, expect, test } from "vitest";
import { addLiveScript, asksForPage } from "./add-live-script.ts";

const PLACE = { tree: "abc", host: "app.test", prefix: "/previews/t" };

async function withScript(
  html: string,
  headers: Record<string, string> = { "content-type": "text/html" },
): Promise<string> {
  const text = await addLiveScript(new Response(html, { headers }), PLACE).text();
  return text.replace(
    /<script nonce="[^"]+" data-tree="abc" data-base="\/previews\/t\/">\(\(\) => .*?\}\)\(\);<\/script>/gs,
    "[live]",
  );
}

describe("the script", () => {
  test.each([
    [
      "a head",
      `<!doctype html><html><head lang="x"><title>x</title></head></html>`,
      `<!doctype html><html><head lang="x">[live]<title>x</title></head></html>`,
    ],
    [
      "no head",
      "<!doctype html><title>x</title><script>1</script>",
      "<!doctype html>[live]<title>x</title><script>1</script>",
    ],
    ["a body alone", "<html><body>x</body></html>", "<html>[live]<body>x</body></html>"],
    ["none of them", "<h1>x</h1>", "<h1>x</h1>[live]"],
    ["nothing", "", "[live]"],
    ["a comment with a head", "<!-- <head> --><h1>x</h1>", "<!-- <head> --><h1>x</h1>[live]"],
    ["two heads", "<head></head><head></head>", "<head>[live]</head><head></head>"],
  ])("is put once into a page with %s", async (_name, html, expected) => {
    expect(await withScript(html)).toBe(expected);
  });

  test.each([
    ["text", { "content-type": "text/plain" }],
    ["what has no type", {}],
    ["UTF-16", { "content-type": "text/html; charset=utf-16le" }],
    ["what is packed", { "content-type": "text/html", "content-encoding": "br" }],
  ])("is not put into %s", async (_name, headers) => {
    const response = new Response("<head></head>", { headers, encodeBody: "manual" });
    expect(addLiveScript(response, PLACE)).toBe(response);
  });

  test("goes out before the page has ended", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const page = addLiveScript(new Response(readable, { headers: { "content-type": "text/html" } }), PLACE);
    const reader = page.body?.getReader();
    void writer.write(new TextEncoder().encode("<!doctype html><head><title>a"));
    let text = "";
    while (!text.includes("<title>")) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toContain("data-tree");
    await reader?.cancel();
  });
});

test.each([
  ["GET", { "sec-fetch-dest": "document" }, true],
  ["GET", { "sec-fetch-dest": "iframe" }, true],
  ["GET", { "upgrade-insecure-requests": "1" }, true],
  ["GET", { "sec-fetch-dest": "empty", "upgrade-insecure-requests": "1" }, false],
  ["GET", { accept: "text/html" }, false],
  ["POST", { "sec-fetch-dest": "document" }, false],
])("%s with %o asks for a page: %s", (method, headers, expected) => {
  expect(asksForPage(new Request("https://app.test/", { method, headers: headers as Record<string, string> }))).toBe(
    expected,
  );
});
