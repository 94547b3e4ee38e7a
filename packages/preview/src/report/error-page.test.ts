import { memoryFileSystem } from "@tenrec/testkit";
import { expect, test } from "vitest";
import { exceptionResponse, problemsResponse, refusedResponse } from "./error-page.ts";

const FS = memoryFileSystem({
  "/src/a.ts": Array.from({ length: 9 }, (_, n) => `line ${n + 1} <b>`).join("\n"),
  "/.dev.vars": "SECRET=s3cret",
});
const PAGE = new Request("https://app.test/", { headers: { accept: "text/html,*/*" } });
const CODE = new Request("https://app.test/", { headers: { accept: "*/*" } });

test("a browser is shown the code around each place", async () => {
  const response = await problemsResponse(PAGE, [{ path: "/src/a.ts", line: 5, column: 2, message: "a < b" }], FS);
  expect(response.status).toBe(500);
  const html = await response.text();
  expect(html).toContain("<pre>src/a.ts:5:2: a &lt; b</pre>");
  const lines = [...html.matchAll(/<span( class="here")?>([^<]*)<\/span>/g)].map(([, here, text]) => [text, !!here]);
  expect(lines).toEqual([2, 3, 4, 5, 6, 7, 8].map((n) => [`${n}  line ${n} &lt;b&gt;`, n === 5]));
});

test.each([
  ["without a file", {}],
  ["of a file that is not there", { path: "/src/gone.ts", line: 1 }],
  ["of a line that is not there", { path: "/src/a.ts", line: 10 }],
  ["of a file that may hold secrets", { path: "/.dev.vars", line: 1 }],
])("no code is shown of a problem %s", async (_name, place) => {
  const html = await (await problemsResponse(PAGE, [{ ...place, message: "wrong" }], FS)).text();
  expect(html).toContain("wrong</pre>");
  expect(html).not.toContain("<span");
  expect(html).not.toContain("s3cret");
});

test("a page says how it goes away", async () => {
  const text = async (response: Response | Promise<Response>): Promise<string> => (await response).text();
  const byItself = "goes away by itself when the files change";
  expect(await text(problemsResponse(PAGE, [{ message: "wrong" }], FS))).toContain(byItself);
  const refused = await text(refusedResponse(PAGE, "Raise the agent's budget to go on."));
  expect(refused).toContain("Load this page again when the budget has been raised.");
  expect(refused).not.toContain(byItself);
});

test("everybody else gets text", async () => {
  const at = { path: "/src/a.ts", line: 5, column: 2 };
  const response = await exceptionResponse(CODE, { name: "Error", message: "boom", stack: "    at f", at }, FS);
  expect(response.headers.get("content-type")).toBe("text/plain;charset=utf-8");
  expect(await response.text()).toBe("The app threw an exception\n\nError: boom\n    at f\n");
  const page = await exceptionResponse(PAGE, { name: "Error", message: "boom", stack: "", at }, FS);
  expect(await page.text()).toContain(`<span class="here">5  line 5`);
});
