import { TenrecError } from "@tenrec/protocol";
import { describe, expect, test } from "vitest";
import { withCurl } from "./with-curl.ts";

const HOST = "https://x.example";

/** Tells what it was sent, except at a few paths. */
async function answer(url: string, init: RequestInit): Promise<Response> {
  const request = new Request(url, init);
  const { pathname, search } = new URL(url);
  if (pathname === "/to") return new Response("moved", { status: 302, headers: { location: "/end" } });
  if (pathname === "/loop") return new Response(null, { status: 302, headers: { location: "/loop" } });
  if (pathname === "/404") return new Response("not here", { status: 404, statusText: "Not Found" });
  if (pathname === "/503") return new Response("busy", { status: 503 });
  if (pathname === "/named")
    return new Response("n", { headers: { "content-disposition": 'attachment; filename="../../evil.txt"' } });
  if (pathname === "/down") throw new Error("refused");
  const type = request.headers.get("content-type");
  return new Response(`${request.method} ${pathname}${search}${type ? ` ${type}` : ""} ${await request.text()}`.trim());
}

const run = (args: readonly string[], files: Record<string, string> = {}, stdin = "") =>
  withCurl(args, { fetch: answer, files, stdin });

describe("curl sends", () => {
  test.each<[args: string[], stdout: string]>([
    [[`${HOST}/a`], "GET /a"],
    [["-s", `${HOST}/a`], "GET /a"],
    [["-X", "DELETE", `${HOST}/a`], "DELETE /a"],
    [["-XPUT", `${HOST}/a`], "PUT /a"],
    [["-d", "a=1", "-d", "b=2", `${HOST}/a`], "POST /a application/x-www-form-urlencoded a=1&b=2"],
    [["-da=1", `${HOST}/a`], "POST /a application/x-www-form-urlencoded a=1"],
    [["--data=a=1", `${HOST}/a`], "POST /a application/x-www-form-urlencoded a=1"],
    [["-d", "@in.txt", `${HOST}/a`], "POST /a application/x-www-form-urlencoded line 1line 2"],
    [["-d@-", `${HOST}/a`], "POST /a application/x-www-form-urlencoded from stdin"],
    [["--data-binary", "@in.txt", `${HOST}/a`], "POST /a application/x-www-form-urlencoded line 1\nline 2"],
    [["--data-raw", "@in.txt", `${HOST}/a`], "POST /a application/x-www-form-urlencoded @in.txt"],
    [["--data-urlencode", "q=a b&c", `${HOST}/a`], "POST /a application/x-www-form-urlencoded q=a+b%26c"],
    [["--data-urlencode", "q@in.txt", `${HOST}/a`], "POST /a application/x-www-form-urlencoded q=line+1%0Aline+2"],
    [["-G", "-d", "a=1", "--data-urlencode", "b=c d", `${HOST}/a?x`], "GET /a?x&a=1&b=c+d"],
    [["--json", '{"a":1}', `${HOST}/a`], 'POST /a application/json {"a":1}'],
    [["-H", "Content-Type: text/x", "-d", "a", `${HOST}/a`], "POST /a text/x a"],
    [["-T", "in.txt", `${HOST}/a`], "PUT /a line 1\nline 2"],
    [["x.example/a"], "GET /a"],
    [["-sSfL", "--compressed", `${HOST}/to`], "GET /end"],
    [[`${HOST}/to`], "moved"],
    [["-L", "-X", "POST", "-d", "a", `${HOST}/to`], "GET /end"],
    [["--", `${HOST}/a`], "GET /a"],
    [[`${HOST}/a`, `${HOST}/b`], "GET /aGET /b"],
    [["-w", "\\n%{http_code} %{num_redirects} %%", "-L", `${HOST}/to`], "GET /end\n200 1 %"],
    [["-s", "-o", "/dev/null", "-w", "%{http_code}", `${HOST}/404`], "404"],
    [["-w", "%{redirect_url} %{size_download} %{nonsense}.", `${HOST}/to`], "movedhttps://x.example/end 5 ."],
    [["-o", "-", `${HOST}/a`], "GET /a"],
    [["-N", "-4", "--http1.1", "-#", `${HOST}/a`], "GET /a"],
  ])("%j", async (args, stdout) => {
    const ran = await run(args, { "in.txt": "line 1\nline 2\n".trimEnd() }, "from stdin");
    expect(ran).toMatchObject({ stdout, stderr: "", exitCode: 0 });
  });

  test("a form with files", async () => {
    const ran = await run(["-F", "a=1", "-F", "f=@dir/in.txt;type=text/x", "-F", "t=<dir/in.txt", `${HOST}/a`], {
      "dir/in.txt": "content",
    });
    expect(ran.stdout).toMatch(/^POST \/a multipart\/form-data; boundary=/);
    expect(ran.stdout).toMatch(/name="a"\r\n\r\n1\r\n/);
    expect(ran.stdout).toMatch(/name="f"; filename="in\.txt"\r\nContent-Type: text\/x\r\n\r\ncontent\r\n/);
    expect(ran.stdout).toMatch(/name="t"\r\n\r\ncontent\r\n/);
  });

  test.each<[args: string[], name: string, value: string | null]>([
    [["-u", "me:pass"], "authorization", `Basic ${btoa("me:pass")}`],
    [["-u", "me"], "authorization", `Basic ${btoa("me:")}`],
    [["--oauth2-bearer", "t"], "authorization", "Bearer t"],
    [["-A", "me"], "user-agent", "me"],
    [["-e", "https://r"], "referer", "https://r"],
    [["-b", "a=1"], "cookie", "a=1"],
    [["-r", "0-9"], "range", "bytes=0-9"],
    [["-H", "X-A: 1", "-H", "x-a: 2"], "x-a", "1, 2"],
    [["-H", "Accept:"], "accept", null],
    [["-H", "Accept: text/html"], "accept", "text/html"],
    [["-H", "X-Empty;"], "x-empty", ""],
    [["-H", "@heads"], "x-file", "yes"],
    [["--json", "1"], "accept", "application/json"],
  ])("the header of %j", async (args, name, value) => {
    let sent: Headers | undefined;
    const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
      sent = new Headers(init.headers);
      return new Response();
    };
    await withCurl([...args, HOST], { fetch, files: { heads: "X-File: yes\r\n" } });
    expect(sent?.get(name)).toBe(value);
  });

  test("what is in front of an @ as a login, and nowhere else", async () => {
    const { told, stdout } = await run(["-v", "https://me:p%40ss@x.example/a"]);
    expect([stdout, told]).toEqual(["GET /a", ["GET https://x.example/a"]]);
  });
});

describe("curl answers", () => {
  test("with headers of each hop for -i, and with them alone for -I", async () => {
    const { stdout } = await run(["-sLi", `${HOST}/to`]);
    expect(stdout).toMatch(/^HTTP\/1\.1 302 [^]*location: \/end\r\n\r\nHTTP\/1\.1 200 [^]*\r\n\r\nGET \/end$/);
    expect((await run(["-I", `${HOST}/404`])).stdout).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });

  test("into files", async () => {
    const { files, stdout } = await run([
      "-o",
      "out.txt",
      "-O",
      "-D",
      "heads.txt",
      `${HOST}/a`,
      `${HOST}/path/b.txt?x=1`,
    ]);
    expect(stdout).toBe("");
    expect([files.get("out.txt"), files.get("b.txt")]).toEqual(["GET /a", "GET /path/b.txt?x=1"]);
    expect(files.get("heads.txt")).toMatch(/^HTTP/);
  });

  test("into no other folder, whatever the server calls it", async () => {
    const { files } = await run(["-OJ", "--output-dir", "down", `${HOST}/named`]);
    expect([...files.keys()]).toEqual(["down/evil.txt"]);
  });

  test("on stderr what was said, for -v", async () => {
    const { stderr } = await run(["-v", `${HOST}/a`]);
    expect(stderr).toMatch(/^> GET \/a HTTP\/1\.1\n> host: x\.example\n[^]*< HTTP\/1\.1 200/);
  });
});

describe("curl fails", () => {
  test.each<[args: string[], exitCode: number, stderr: string | RegExp, stdout?: string]>([
    [[], 2, /no URL specified/],
    [["--nonsense", HOST], 2, "curl: option --nonsense: is unknown\ncurl: try 'curl --help' for more information\n"],
    [["-sy", HOST], 2, /option -y: is unknown/],
    [["-X"], 2, /option -X: requires parameter/],
    [["-x", "http://proxy", HOST], 2, /option -x: not supported in this shell/],
    [["--max-time", "soon", HOST], 2, /expected a proper numerical parameter/],
    [["ftp://x.example/"], 1, 'curl: (1) Protocol "ftp" not supported\n'],
    [["file:///etc/passwd"], 1, /Protocol "file" not supported/],
    [["http://a b c:x/"], 3, /URL rejected/],
    [[`${HOST}/[1-3]`], 3, /globbing/],
    [["-f", `${HOST}/404`], 22, "curl: (22) The requested URL returned error: 404\n", ""],
    [["--fail-with-body", `${HOST}/404`], 22, /error: 404/, "not here"],
    [[`${HOST}/404`], 0, "", "not here"],
    [["-sf", `${HOST}/404`], 22, "", ""],
    [["-sSf", `${HOST}/404`], 22, /error: 404/, ""],
    [["-L", "--max-redirs", "3", `${HOST}/loop`], 47, "curl: (47) Maximum (3) redirects followed\n"],
    [[`${HOST}/down`], 7, /curl: \(7\) Failed to connect: refused/],
    [["-d", "@missing", HOST], 26, /missing/],
    [["-O", `${HOST}/`], 23, /Remote file name has no length/],
    [["--max-filesize", "3", `${HOST}/a`], 63, /Maximum file size exceeded/],
    [["http://127.0.0.1:8080/"], 9, /Not reached: [^]*loopback[^]*Other spellings/],
    [["http://0x7f000001/"], 9, /loopback/],
    [["-H", "Host: evil.example", HOST], 9, /the header host cannot be set/],
    [["-b", "jar.txt", HOST], 2, /a file of cookies/],
  ])("%j with %i", async (args, exitCode, stderr, stdout = "") => {
    const ran = await run(args);
    expect(ran.stderr).toMatch(stderr);
    expect(ran).toMatchObject({ exitCode, stdout });
  });

  test("goes on with the next URL, and ends as the last one did", async () => {
    const ran = await run(["-s", `${HOST}/a`, `${HOST}/down`, `${HOST}/b`, "-w", "%{exitcode};"]);
    expect(ran).toMatchObject({ stdout: "GET /a0;7;GET /b0;", exitCode: 0 });
    expect((await run(["-s", `${HOST}/a`, `${HOST}/down`])).exitCode).toBe(7);
    expect(await run(["-s", "--fail-early", `${HOST}/down`, `${HOST}/b`])).toMatchObject({ stdout: "", exitCode: 7 });
  });

  test("tries again as often as it is told, waiting longer each time", async () => {
    const ran = await run(["-s", "--retry", "3", "-o", "/dev/null", "-w", "%{num_retries}", `${HOST}/503`]);
    expect([ran.stdout, ran.slept, ran.told.length]).toEqual(["3", [1000, 2000, 4000], 4]);
    expect((await run(["--retry", "3", `${HOST}/404`])).slept).toEqual([]);
    expect((await run(["--retry", "1", "--retry-connrefused", "--retry-delay", "5", `${HOST}/down`])).slept).toEqual([
      5000,
    ]);
    expect((await run(["--retry", "3", "--retry-all-errors", "http://127.0.0.1/"])).slept).toEqual([]);
  });
});

test("nothing goes out before it was told", async () => {
  const order: string[] = [];
  const fetch = async (url: string): Promise<Response> => {
    order.push(url);
    return url.endsWith("/to") ? new Response(null, { status: 302, headers: { location: "/end" } }) : new Response();
  };
  const { told } = await withCurl(["-L", `${HOST}/to`], { fetch });
  expect(told).toEqual([`GET ${HOST}/to`, `GET ${HOST}/end`]);
  expect(order).toEqual([`${HOST}/to`, `${HOST}/end`]);
});

test("a question for an approval is not an answer of curl", async () => {
  const gate = {
    require: () => {
      throw new TenrecError("approval-required", { permission: "network", detail: "x" });
    },
  };
  await expect(withCurl(["-s", HOST], { fetch: answer, gate })).rejects.toMatchObject({ code: "approval-required" });
});

test("a refusal says what was refused and what to do", async () => {
  const gate = {
    require: () => {
      throw new TenrecError("permission-denied", { permission: "network", detail: `GET ${HOST}/` });
    },
  };
  const { exitCode, stderr } = await withCurl([HOST], { fetch: answer, gate });
  expect([exitCode, stderr]).toEqual([9, expect.stringMatching(/Not permitted[^]*Do not try it another way/)]);
});

test("stops with the call", async () => {
  const abort = new AbortController();
  const fetch = (_url: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  const running = withCurl([HOST], { fetch, signal: abort.signal });
  abort.abort(new Error("stopped"));
  await expect(running).rejects.toThrow("stopped");
});

test.each([
  ["--max-time", "0.02"],
  ["--connect-timeout", "0.02"],
])("%s %s ends a server that says nothing with 28", async (option, value) => {
  const fetch = (_url: string, { signal }: RequestInit): Promise<Response> =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
  expect((await withCurl([option, value, HOST], { fetch })).exitCode).toBe(28);
});
