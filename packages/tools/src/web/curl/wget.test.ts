import { describe, expect, test } from "vitest";
import { withCurl } from "./with-curl.ts";
import { runWget } from "./wget.ts";

const fetch = async (url: string, init: RequestInit): Promise<Response> => {
  if (url.endsWith("/404")) return new Response("no", { status: 404 });
  return new Response(`${init.method} ${new URL(url).pathname} ${new Headers(init.headers).get("x-a") ?? ""}`.trim());
};

const run = (args: string[]) => withCurl(args, { fetch, run: runWget });

describe("wget", () => {
  test.each<[args: string[], stdout: string, files: Record<string, string>]>([
    [["-qO-", "https://x.example/a"], "GET /a", {}],
    [["-q", "-O", "-", "x.example/a"], "GET /a", {}],
    [["-qO", "out", "https://x.example/a"], "", { out: "GET /a" }],
    [["-q", "https://x.example/b/c.txt?x=1"], "", { "c.txt": "GET /b/c.txt" }],
    [["-q", "https://x.example"], "", { "index.html": "GET /" }],
    [["-q", "-P", "down", "https://x.example/c"], "", { "down/c": "GET /c" }],
    [["-q", "--header=X-A: 1", "--post-data", "x", "-O-", "https://x.example/a"], "POST /a 1", {}],
    [["-q", "--spider", "https://x.example/a"], "", {}],
  ])("%j", async (args, stdout, files) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ stdout, stderr: "", exitCode: 0 });
    expect(Object.fromEntries(ran.files)).toEqual(files);
  });

  test.each<[args: string[], exitCode: number, stderr: string | RegExp]>([
    [["https://x.example/a"], 0, "'a' saved\n"],
    [["https://x.example/404"], 8, /wget: \(22\) The requested URL returned error: 404/],
    [["-q", "https://x.example/404"], 8, /^$/],
    [["-qO-", "http://127.0.0.1/"], 4, /wget: \(9\) Not reached/],
    [["-r", "https://x.example/"], 2, /unrecognized option 'r'/],
    [[], 2, "wget: missing URL\n"],
    [["-O"], 2, /requires an argument/],
  ])("%j ends with %i", async (args, exitCode, stderr) => {
    const ran = await run(args);
    expect(ran.exitCode).toBe(exitCode);
    expect(ran.stderr).toMatch(stderr);
    if (exitCode !== 0) expect(ran.files.size).toBe(0);
  });
});
