import { describe, expect, it } from "vitest";
import { withTools } from "../with-tools.ts";

const LINES = 30_000;
const line = (n: number): string => `line ${n} const value${n} = "${(n * 7919) % 100_003}";\n`;
const files = { "/big.txt": Array.from({ length: LINES }, (_, n) => line(n)).join("") };

/** How often the event loop came round while something ran. */
async function turnsDuring<T>(run: () => Promise<T>): Promise<{ readonly turns: number; readonly result: T }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setTimeout(count, 0);
  };
  setTimeout(count, 0);
  const result = await run();
  isOver = true;
  return { turns, result };
}

describe("bash: a large input", () => {
  it.each([
    ["sed 's/line/LINE/' big.txt | tail -1", "LINE 29999"],
    ["sed -i 's/const/let/g' big.txt && tail -1 big.txt", "let value29999"],
    ["sed -n '$!N;P' big.txt | tail -1", "line 29998"],
    ["sed ':a;N;$!ba;s/\\n/ /g' big.txt | cut -c1-40", '"0"; line 1 const'],
    ["awk '{gsub(/line/,\"L\"); print}' big.txt | tail -1", "L 29999"],
    ["awk '{n+=NF} END{print NR}' big.txt", "30000"],
    ["awk 'BEGIN{for(i=0;i<600000;i++) s+=i; print s}'", "179999700000"],
    ["awk 'function f(n) { return n < 2 ? n : f(n-1) + f(n-2) } BEGIN{print f(25)}'", "75025"],
    [`awk 'BEGIN{s=sprintf("%100000s",""); print gsub(/ *x| /,"",s)}'`, "100000"],
    [`awk 'BEGIN{s=sprintf("%100000s",""); print split(s,parts,/ *x| /)}'`, "100001"],
    [
      `awk 'BEGIN{for(i=0;i<100000;i++) print "" > "lines"; close("lines"); RS="\\n*x|\\n"; while((getline < "lines")>0) n++; print n}'`,
      "100000",
    ],
    ["sort -rn -k2 big.txt | head -1", "line 29999"],
    ["sort big.txt | head -1", "line 0 "],
    ["tr a-z A-Z < big.txt | tail -1", "LINE 29999"],
    ["cut -d' ' -f2 big.txt | tail -1", "29999"],
    ["uniq -c big.txt | tail -1", "      1 line 29999"],
    ["cat -n big.txt | tail -1", " 30000\tline 29999"],
    ["rev big.txt | tail -1", "99992 enil"],
    ["fold -w 10 big.txt | head -1", "line 0 con"],
    ["xxd -l 300000 big.txt | head -1", "00000000: 6c69"],
    ["od -c -N 300000 big.txt | head -1", "0000000   l   i"],
    ["base64 big.txt | head -1", "bGluZSAwIGNvbnN0"],
    ["seq 1 60000 | tail -1", "60000"],
    ["i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); done; echo $i", "3000"],
    ["for ((i = 0; i < 9000; i++)); do ((n += i)); done; echo $n", "40495500"],
  ])("lets others have their turn: %s", (command, wanted) =>
    withTools(files, async ({ call }) => {
      const { turns, result } = await turnsDuring(() => call("bash", { command }));
      expect(result.text).toContain(wanted);
      // One for the first, one for the last, and the rest in between.
      expect(turns).toBeGreaterThan(3);
    }),
  );

  it.each([
    ["sed", "sed 's/a/b/' big.txt; sed 's/a/b/' big.txt; sed 's/a/b/' big.txt; sed 's/a/b/' big.txt"],
    ["a loop of the shell", "while true; do x=$(sleep 0.01); done"],
    ["a loop without commands", "while true; do while ((i++ % 50)); do ((n++)); done; sleep 0.01; done"],
    ["awk", "awk '{for(i=0;i<10000;i++) s+=i}' big.txt"],
    ["calls of awk", "awk 'function f(n) { return n < 2 ? n : f(n-1) + f(n-2) } BEGIN{print f(35)}'"],
    ["loops of awk in loops", "awk 'BEGIN{for(i=0;i<100000;i++) for(j=0;j<100000;j++) s+=j}'"],
  ])("ends on an abort: %s", (_name, command) =>
    withTools(files, async ({ call }) => {
      const stop = new AbortController();
      const running = call("bash", { command: `${command}; echo late > late` }, stop.signal);
      setTimeout(() => stop.abort(new Error("enough")), 50);
      await expect(running).rejects.toThrow("enough");
    }),
  );

  it("ends at its time, with a text", () =>
    withTools(files, async ({ call }) => {
      const command = "awk 'BEGIN{for(i=0;i<100000;i++) for(j=0;j<100000;j++) s+=j}'";
      const { text, isError } = await call("bash", { command, timeout: 1 });
      expect(isError).toBe(true);
      expect(text).toContain("stopped after 1 s");
    }));
});
