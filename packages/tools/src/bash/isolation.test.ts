import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const FILES = { "/a.txt": "hi\n", "/src/x.ts": "x\n" };

/** Changes all that a shell has to change. */
const MESS =
  "cd src; A=1; export B=2; readonly C=3; ls() { echo mine; }; shopt -s expand_aliases nullglob; alias pwd='echo mine'; " +
  "set -u -f; trap 'echo bye' EXIT; IFS=x; PATH=/none:$PATH; hash -p /tmp/x cat; echo x > /tmp/x; sleep 0 &";

/** The same without what takes just-bash. */
const DIRECT_MESS =
  "cd src; A=1; export B=2 PS=3; f() { echo mine; }; set -euo pipefail; IFS=x; HOME=/none; set -- a b; " +
  "echo x > /tmp/x; mkdir /tmp/d; find . -exec touch /tmp/y ';';";

/** Tells what is left of it. */
const PROBE =
  "pwd; ls; echo [$A][$B][$C][$IFS][$PATH] *.none; C=4; trap; alias; shopt expand_aliases nullglob; set -o | grep ' on'; " +
  "ls /tmp; jobs; cat a.txt; type ls; echo $?";

/** The same without a shell. */
const DIRECT_PROBE = "pwd; ls; ls /tmp; cat a.txt";

describe("a call leaves nothing in the next one", () => {
  const ends: readonly [how: string, command: string, timeout?: number][] = [
    ["when it ends", MESS],
    ["when it ends without just-bash", `${DIRECT_MESS} true`],
    ["when it fails without just-bash", `${DIRECT_MESS} false`],
    ["when it exits", `${MESS} exit 7`],
    ["when it reaches a limit", `${MESS} while true; do :; done`],
    ["when it is not valid to its end", `${MESS}\nif`],
    ["when a redirection fails", `${MESS} echo x > /workspace/src`],
    ["when its time is over", `${MESS} sleep 60`, 1],
  ];
  it.each(ends)("%s", (_how, command, timeout) =>
    withTools(FILES, async ({ call, again }) => {
      for (const probe of [PROBE, DIRECT_PROBE]) {
        const fresh = await again().call("bash", { command: probe });
        await call("bash", timeout === undefined ? { command } : { command, timeout });
        expect(await call("bash", { command: probe })).toEqual(fresh);
      }
    }),
  );

  it("that would be seen", () =>
    withTools(FILES, async ({ call, again }) => {
      const { text } = await call("bash", { command: `${MESS}\n${PROBE}` });
      const fresh = (await again().call("bash", { command: PROBE })).text.split("\n");
      const same = text.split("\n").filter((line) => fresh.includes(line));
      expect(same.length).toBeLessThan(fresh.length / 2);
    }));

  it("when it is aborted", () =>
    withTools(FILES, async ({ call, again }) => {
      const fresh = await again().call("bash", { command: PROBE });
      const stop = new AbortController();
      const running = call("bash", { command: `${MESS} sleep 60` }, stop.signal);
      setTimeout(() => stop.abort(new Error("enough")), 50);
      await expect(running).rejects.toThrow("enough");
      expect(await call("bash", { command: PROBE })).toEqual(fresh);
    }));
});

describe("calls side by side", () => {
  it("have a shell and files each", () =>
    withTools(FILES, async ({ again }) => {
      const texts = await Promise.all(
        ["1", "2", "3"].map(async (name) => {
          const { call } = again();
          const set = `cd src; A=${name}; echo ${name} > /tmp/f; sleep 0.0${name}; echo $A $(cat /tmp/f); pwd; ls`;
          const direct = `cd src; cat x.ts; pwd; cat x.ts; ls`;
          const [shell, plain] = await Promise.all([
            call("bash", { command: set }),
            again().call("bash", { command: direct }),
          ]);
          return [shell.text, plain.text];
        }),
      );
      expect(texts).toEqual(
        ["1", "2", "3"].map((name) => [`${name} ${name}\n/workspace/src\nx.ts`, "x\n/workspace/src\nx\nx.ts"]),
      );
    }));
});
