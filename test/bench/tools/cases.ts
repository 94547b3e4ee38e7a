import type { Contestant } from "../frame/measure-in-turns.ts";
import { measureCase } from "../frame/measure-case.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";
import { type Case, OBJECT, type ToolsContext } from "./context.ts";
import { editOf, FILES, LONG, MARK, pathOf, type Task } from "./work.ts";

/** A case that each subject does with a tool, or cannot do. */
interface ToolCase {
  readonly name: string;
  /** What a round does, in one request; the time is that of one task. Rounds count from 1. */
  tasks(round: number): readonly Task[];
  /** Subjects that have no tool for it. */
  readonly without?: readonly string[];
  /** Files to compare after the check, which is round 1. */
  readonly touches?: readonly string[];
}

const spread = (count: number, tasks: (index: number) => Task): Task[] =>
  Array.from({ length: count }, (_, at) => tasks(at));
const fileOf = (index: number): number => (index * 37) % FILES;
/** How often a request repeats what takes long for a peer, with other text each time. */
const REPEATS = 3;
const stepOf = (round: number, time: number): number => (round - 1) * REPEATS + time + 1;
/** Of a file, a line for each case that edits: no two of them change the same. */
const EDITED = 7;
const PATCHED = 9;

const TOOL_CASES: readonly ToolCase[] = [
  { name: "read", tasks: () => spread(200, (at) => ({ kind: "read", path: pathOf(fileOf(at)) })) },
  {
    name: "write",
    tasks: (round) =>
      spread(20, (at) => ({ kind: "write", path: `/workspace/new/${round}-${at}.ts`, text: textOf(round, at) })),
    touches: ["/workspace/new/1-3.ts"],
  },
  {
    name: "edit-1",
    tasks: (round) =>
      spread(20, (at) => ({ kind: "edit", path: pathOf(fileOf(at)), edits: [editOf(fileOf(at), EDITED, round)] })),
    touches: [pathOf(fileOf(3))],
  },
  {
    name: "edit-20",
    tasks: (round) =>
      spread(REPEATS, (time) => ({
        kind: "edit",
        path: LONG,
        edits: Array.from({ length: 20 }, (_, at) => editOf(FILES, 50 + at * 90, stepOf(round, time))),
      })),
    touches: [LONG],
  },
  { name: "grep", tasks: () => spread(10, () => ({ kind: "grep", text: MARK })) },
  { name: "glob", tasks: () => spread(50, () => ({ kind: "glob", ending: ".test.ts" })) },
  {
    name: "bash",
    tasks: () =>
      spread(50, () => ({ kind: "bash", command: `cat ${pathOf(1)} | sort | tail -3; wc -l < ${pathOf(2)}` })),
    without: ["computer"],
  },
  {
    name: "bash-grep",
    tasks: () => spread(10, () => ({ kind: "bash", command: `grep -rl '${MARK}' /workspace/src | sort | head -5` })),
    without: ["computer"],
  },
  {
    name: "bash-loop",
    tasks: () =>
      spread(10, () => ({
        kind: "bash",
        command: `for f in ${[1, 2, 3].map(pathOf).join(" ")}; do n=$(wc -l < "$f"); echo "\${f##*/}: $n"; done`,
      })),
    without: ["computer"],
  },
  {
    name: "bash-write",
    tasks: () =>
      spread(10, () => ({
        kind: "bash",
        command: `for i in 1 2 3; do echo "note $i" > /workspace/src/note-$i.txt; done; cat /workspace/src/note-*.txt`,
      })),
    without: ["computer"],
  },
  {
    name: "bash-read",
    tasks: () =>
      spread(10, () => ({
        kind: "bash",
        command: `n=0; while read -r word kind rest; do n=$((n + 1)); [ "$kind" = const ] && last=$rest; done < ${pathOf(3)}; echo "$n $last"`,
      })),
    without: ["computer"],
  },
  {
    name: "patch-30",
    tasks: (round) =>
      spread(REPEATS, (time) => ({
        kind: "patch",
        files: Array.from({ length: 30 }, (_, at) => ({
          path: pathOf(at * 31),
          edit: editOf(at * 31, PATCHED, stepOf(round, time)),
        })),
      })),
    touches: [pathOf(0), pathOf(31 * 29)],
  },
];

function textOf(round: number, index: number): string {
  return `// ${round}, ${index}\n${"export const value = 1;\n".repeat(80)}`;
}

const warm = TOOL_CASES.map((each): Case => ({ name: each.name, run: (context) => runToolCase(context, each) }));

/** The first command of a process that just started. */
const cold: Case = {
  name: "bash-cold",
  async run(context) {
    const task: Task = { kind: "bash", command: "printf 'b\\na\\n' | sort | tr a-z A-Z" };
    const subjects = context.subjects.filter(({ name }) => name !== "computer");
    context.report.say("    computer: has no shell in the object");
    const contestants = subjects.map((subject): Contestant => ({
      subject: subject.name,
      way: subject.way,
      async prepare() {
        await subject.restart();
        await subject.way();
      },
      run: async () => expectAnswer(subject, "bash-cold", await subject.post("cold", "run", [task]), "A\nB"),
    }));
    await measureCase(context, "bash-cold", contestants, { runs: 7, atLeast: 3, budgetMs: 3000 });
    for (const { name } of subjects.slice(1)) context.report.expectRatio("bash-cold", name, 1);
  },
};

/** In the order in which they run: the cold one last, since a process that starts anew has lost what was in memory. */
export const toolsCases: readonly Case[] = [...warm, cold];

async function runToolCase(context: ToolsContext, each: ToolCase): Promise<void> {
  const { report } = context;
  const { name, without = [], touches = [] } = each;
  const subjects = context.subjects.filter((subject) => !without.includes(subject.name));
  for (const missing of without) report.say(`    ${missing}: has no tool for it`);
  const [ours, ...peers] = subjects;
  if (!ours) return;
  const first = each.tasks(1);
  const wanted = await answerOf(ours, first, touches);
  for (const peer of peers) {
    if ((await answerOf(peer, first, touches)) !== wanted)
      report.fail(`${name}: ${peer.name} has another answer than Tenrec`);
  }
  const contestants = subjects.map((subject): Contestant => ({
    subject: subject.name,
    way: subject.way,
    repeats: first.length,
    // Round 1 was the check.
    run: async (round) => void (await subject.post(OBJECT, "run", each.tasks(round + 2))),
  }));
  await measureCase(context, name, contestants, { runs: 15, atLeast: 3, budgetMs: 3000 });
  for (const peer of peers) report.expectRatio(name, peer.name, 1);
}

/** What the tools answer, and what is in the files then; not nothing. */
async function answerOf(subject: WorkerSubject, tasks: readonly Task[], touches: readonly string[]): Promise<string> {
  const answer = await subject.post(OBJECT, "run", tasks);
  const texts = touches.length > 0 ? await subject.post(OBJECT, "texts", touches) : "";
  if (answer.trim() + texts === "") throw new Error(`${subject.name} answers nothing`);
  return `${answer}\n${texts}`;
}

function expectAnswer({ name }: WorkerSubject, what: string, got: string, wanted: string): void {
  if (got !== wanted) throw new Error(`${what}: ${name} answers ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}
