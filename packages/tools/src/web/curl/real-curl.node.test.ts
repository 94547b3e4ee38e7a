import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withCurl } from "./with-curl.ts";

const INPUT = "line 1\nline 2\n";
const hasCurl = spawnSync("curl", ["--version"]).status === 0;

let server: Server;
let host = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      response.setHeader("date", "now").setHeader("content-type", "text/plain");
      if (url.pathname === "/to") return response.writeHead(302, { location: "/end?x=1" }).end("moved");
      if (url.pathname === "/see") return response.writeHead(303, { location: "/end" }).end();
      if (url.pathname === "/keep") return response.writeHead(307, { location: "/end" }).end();
      if (url.pathname === "/loop") return response.writeHead(302, { location: "/loop" }).end();
      if (url.pathname === "/404") return response.writeHead(404).end("not here\n");
      if (url.pathname === "/500") return response.writeHead(500).end("broken\n");
      const { accept, authorization, cookie, referer, range } = request.headers;
      const type = request.headers["content-type"]?.replace(/boundary=.*/, "");
      const seen = { accept, authorization, cookie, referer, range, type, own: request.headers["x-own"] };
      const body = Buffer.concat(pieces)
        .toString()
        .replace(/-{4,}\w+/g, "boundary");
      return response.end(`${JSON.stringify({ method: request.method, url: request.url, ...seen, body })}\n`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Outcome {
  readonly stdout: string;
  readonly exitCode: number;
  readonly files: Record<string, string>;
}

function real(args: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "curl-"));
  writeFileSync(join(folder, "in.txt"), INPUT);
  return new Promise((resolve) => {
    const child = execFile("curl", args, { cwd: folder, env: { PATH: process.env["PATH"] } }, (error, stdout) => {
      const files = Object.fromEntries(
        readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]),
      );
      rmSync(folder, { recursive: true });
      resolve({ stdout, exitCode: Number(error?.code ?? 0), files });
    });
    child.stdin?.end("from stdin");
  });
}

async function ours(args: readonly string[]): Promise<Outcome> {
  const files = { "in.txt": INPUT };
  const ran = await withCurl(args, { fetch, files, stdin: "from stdin", localHosts: [host] });
  return { stdout: ran.stdout, exitCode: ran.exitCode, files: Object.fromEntries(ran.files) };
}

/** Without what depends on curl's version, and what only one of the two connections has. */
const comparable = ({ stdout, ...rest }: Outcome): Outcome => ({
  ...rest,
  stdout: stdout
    .replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase())
    .replace(/^(connection|keep-alive|transfer-encoding|content-length|date): .*\r\n/gim, ""),
});

describe.skipIf(!hasCurl)("says what the real curl says", () => {
  test.each<[line: string]>([
    ["-s HOST/a"],
    ["-sS -X PATCH HOST/a?b=c"],
    ["-s -d a=1 -d b=2 HOST/a"],
    ["-s -d @in.txt HOST/a"],
    ["-s -d @- HOST/a"],
    ["-s --data-binary @in.txt HOST/a"],
    ["-s --data-raw @in.txt HOST/a"],
    ["-s --data-urlencode q=a+b&c=(d)!~ --data-urlencode =x/y --data-urlencode plain HOST/a"],
    ["-s --data-urlencode q@in.txt --data-urlencode @in.txt HOST/a"],
    ["-s -G -d a=1 --data-urlencode b=c/d HOST/a?x=1"],
    ['-s --json {"a":1} HOST/a'],
    ["-s --json @in.txt --json 2 HOST/a"],
    ["-s -H X-Own:1 -H Accept:text/x HOST/a"],
    ["-s -H X-Own;  HOST/a"],
    ["-s -u me:pass HOST/a"],
    ["-s http://me:p%40ss@HOST/a"],
    ["-s -b a=1;b=2 -e http://r/ -r 0-9 HOST/a"],
    ["-s -F a=1 -F f=@in.txt -F t=<in.txt HOST/a"],
    ["-s -F f=@in.txt;type=text/x;filename=other.txt HOST/a"],
    ["-s -T in.txt HOST/up"],
    ["-s HOST/to"],
    ["-sL HOST/to"],
    ["-sL -d x=1 HOST/to"],
    ["-sL -d x=1 HOST/see"],
    ["-sL -d x=1 HOST/keep"],
    ["-sL --max-redirs 3 HOST/loop"],
    ["-sL --max-redirs 0 HOST/to"],
    ["-sL -u me:pass HOST/to"],
    ["-s HOST/404"],
    ["-sf HOST/404"],
    ["-s --fail-with-body HOST/404"],
    ["-s -o out.txt HOST/404"],
    ["-sf -o out.txt HOST/500"],
    ["-s -o out.txt -w %{http_code}\\n HOST/500"],
    ["-s -w %{http_code},%{num_redirects},%{redirect_url},%{size_download},%{content_type},%{method} HOST/to"],
    ["-sL -o out.txt -w %{url_effective},%{response_code},%{filename_effective} HOST/to"],
    ["-s -w [%header{content-type}][%{exitcode}][%%] HOST/a"],
    ["-s -O HOST/dir/name.txt?x=1"],
    ["-s -O HOST/"],
    ["-s -o one.txt -o two.txt HOST/1 HOST/2"],
    ["-s HOST/1 HOST/404 HOST/2"],
    ["-sf HOST/404 HOST/2"],
    ["-s -I HOST/a"],
    ["-s -i HOST/404"],
    ["-sLi HOST/to"],
    ["-s -D - -o out.txt HOST/a"],
    ["-s"],
    ["-s --nonsense HOST/a"],
    ["-s ftp://HOST/a -m"],
    ["-s --max-filesize 3 HOST/a"],
    ["-s -X POST HOST/a"],
    ["-s -XPOST -d {} -H Content-Type:application/json HOST/a"],
    ["-s --get HOST/a"],
    ["-s HOST/a#fragment"],
    ["-s HOST/a/../b/./c"],
  ])("%s", async (line) => {
    const args = line.split(/\s+/).map((word) => word.replace("HOST", host));
    const [theirs, mine] = await Promise.all([real(args), ours(args)]);
    expect(comparable(mine)).toEqual(comparable(theirs));
  });
});
