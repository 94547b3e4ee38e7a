import { describe, expect, it } from "vitest";
import { readHtmlPage } from "./html-page.ts";

describe("readHtmlPage", () => {
  it.each<{ html: string; scripts: string[]; inline?: string[] }>([
    { html: `<script type="module" src="/src/main.tsx"></script>`, scripts: ["/src/main.tsx"] },
    { html: `<SCRIPT\n crossorigin src='a.js?v=1' type=module ></SCRIPT >`, scripts: ["a.js"] },
    { html: `<script src="/classic.js"></script><script>var a = 1</script>`, scripts: [] },
    { html: `<!-- <script type="module" src="/no.js"></script> -->`, scripts: [] },
    { html: `<script type="module">import "./a";</script>`, scripts: [], inline: [`import "./a";`] },
    { html: `<script type="module" data-x="a>b" src=/a.js></script>`, scripts: ["/a.js"] },
    { html: `<script type="module"></script>`, scripts: [] },
    { html: `<script type="module" data-src="/no.js">1</script>`, scripts: [], inline: ["1"] },
  ])("finds the scripts of $html", ({ html, scripts, inline = [] }) => {
    const page = readHtmlPage(html);
    expect(page.scripts).toEqual(scripts);
    expect(page.inline).toEqual(inline);
  });

  it("puts addresses in place of texts, and leaves the rest as it is", () => {
    const html = `<!-- x --><p>\n<script type="module" nonce="1">a</script><script>b</script><script type="module">c</script></p>`;
    expect(readHtmlPage(html).withInline((index) => `/${index}.js`)).toBe(
      `<!-- x --><p>\n<script type="module" nonce="1" src="/0.js"></script><script>b</script><script type="module" src="/1.js"></script></p>`,
    );
  });

  it("leaves all that follows on its line, and says where a text was", () => {
    const page = readHtmlPage(`<p>\n<script type="module">\na;\nb;\n</script><script>c</script>`);
    expect(page.withInline(() => "/0.js").split("\n")[4]).toBe("<script>c</script>");
    expect([page.place(0), page.place(1)]).toEqual([{ line: 2, column: 23 }, undefined]);
  });
});

describe("what is not closed goes on to the end, and is read once", () => {
  it.each(["<!--", "<script>", "<script ", `<script "`, `<script '`, "</script "])("%s", (open) => {
    const page = readHtmlPage(`<script type="module" src="/a.js"></script>${open.repeat(300_000 / open.length)}`);
    expect(page.scripts).toEqual(["/a.js"]);
  });
});
