import { previewPoints } from "./preview-points.ts";
import { turnPoints } from "./turn-points.ts";

/** What part of the product must hold a point. */
type KillPointOwner = "turns" | "tree" | "heavy tier" | "compaction" | "previews" | "race";

/**
 * Where a point is shown. `simulation`: an invariant of the seeded simulation, by its name. `test`: a test by its title.
 * `abort`: one in which a real object is aborted there; `SIGKILL`: the point of the same name at which workerd is killed.
 * `nothing`: there is no such death at this point, and why not.
 */
type Shown =
  | { readonly by: "simulation"; readonly invariant: string }
  | { readonly by: "test" | "abort"; readonly file: string; readonly title: string }
  | { readonly by: "SIGKILL"; readonly point: string }
  | { readonly by: "nothing"; readonly instead: "abort" | "SIGKILL"; readonly because: string };

/** A moment at which an object, or what it works with, may die. */
export interface KillPoint {
  readonly id: string;
  readonly title: string;
  /** What must hold once it has come back. */
  readonly holds: string;
  readonly owner: KillPointOwner;
  readonly shown: readonly Shown[];
}

/** Owners whose part is there: a point of theirs that is not covered is a failure. */
export const BUILT: readonly KillPointOwner[] = ["turns", "tree", "previews"];

const runtime = "packages/runtime/src";
const [reload, hosted] = ["packages/preview/src/host/reload.workers", "packages/preview/src/agent.workers"];

function simulation(...invariants: string[]): Shown[] {
  return invariants.map((invariant) => ({ by: "simulation", invariant }));
}

function tests(by: "test" | "abort", path: string, titles: readonly string[]): Shown[] {
  return titles.map((title) => ({ by, file: `${path}.test.ts`, title }));
}

function test(name: string, ...titles: string[]): Shown[] {
  return tests("test", `${runtime}/${name}`, titles);
}

function sigkill(...points: string[]): Shown[] {
  return points.map((point) => ({ by: "SIGKILL", point }));
}

function bothSidesOf(commit: string): Shown[] {
  return sigkill(`${commit} is not committed`, `${commit} is committed`);
}

const killed = (...titles: string[]): Shown[] => tests("abort", `${runtime}/kill-points.workers`, titles);
/** What is around a turn: clients, code, other instances, the storage. */
const around = (...titles: string[]): Shown[] => tests("abort", `${runtime}/kill-points-around.workers`, titles);
const recovery = (...titles: string[]): Shown[] => tests("abort", `${runtime}/recovery.workers`, titles);
/** Every scenario of the tree is aborted at some of its boundaries, and a process is killed at all of them. */
const boundaries: readonly Shown[] = [
  ...tests("abort", "packages/vfs/src/crash/explore.workers", ["$name"]),
  ...tests("test", "packages/vfs/src/crash/explore.node", ["$name"]),
];

/** Every point that somebody must hold; one that nothing shows is not covered. */
export const killPoints: readonly KillPoint[] = [
  {
    id: "K1",
    title: "a prompt has come, before it is stored",
    holds: "the client heard nothing, sends it again under the same id, and there is one turn",
    owner: "turns",
    shown: [
      ...simulation("I1"),
      ...killed("K1 before a prompt is stored: it is sent again and answered once"),
      ...sigkill("a prompt is not committed", "the begin of a turn is not committed"),
    ],
  },
  {
    id: "K2",
    title: "a prompt is stored, before anything is scheduled",
    holds: "any wake begins its turn, without a client",
    owner: "turns",
    shown: [
      ...simulation("I7"),
      ...killed("K2 once a prompt is stored: any wake begins its turn, without the client"),
      ...test("sessions.workers", "that is repeated after it was stored but not scheduled schedules it"),
      ...sigkill("a prompt is committed"),
      ...sigkill("the begin of a turn is committed"),
    ],
  },
  {
    id: "K3",
    title: "the intent to call the model is stored, the request not sent",
    holds: "the call is made, as another attempt, and nothing of the first is there",
    owner: "turns",
    shown: [
      ...simulation("I5"),
      ...killed(
        "K3 before the intent to call the model is stored: it is the first attempt",
        "K3 once the intent to call the model is stored: it is another attempt",
      ),
      ...bothSidesOf("the intent to call the model"),
    ],
  },
  {
    id: "K4",
    title: "the request is sent, no word has come",
    holds: "one call is made again at most, and flagged as billed again",
    owner: "turns",
    shown: [
      ...simulation("I5", "I9"),
      ...killed("K4 before the first word of an answer: one call is made again, and flagged"),
      ...sigkill("the intent to call the model is committed"),
    ],
  },
  {
    id: "K5",
    title: "in the middle of text or reasoning",
    holds: "the step is made anew, and no watcher sees a piece of text twice or misses one",
    owner: "turns",
    shown: [
      ...simulation("I5", "I8"),
      ...recovery("in a model call, the turn goes on when the object wakes, and says that the call was repeated"),
      ...around("K5, K22 in the middle of a text: it is said anew, and a client that comes back sees all of it once"),
      ...sigkill("a thought is being told", "a text is being told"),
    ],
  },
  {
    id: "K6",
    title: "in the middle of a call's arguments",
    holds: "the call never runs with a part of its arguments",
    owner: "turns",
    shown: [
      ...simulation("I6"),
      ...killed("K6 in the arguments of a call: it runs once, with all of them"),
      ...sigkill("the arguments of a call are being told"),
    ],
  },
  {
    id: "K7",
    title: "the answer is complete, before the step is stored",
    holds: "the step is made anew, and nothing of it has run",
    owner: "turns",
    shown: [
      ...simulation("I6"),
      ...killed("K7, K8 %s a step is stored: its call runs once"),
      ...sigkill("a step is not committed"),
    ],
  },
  {
    id: "K8",
    title: "a call is stored, before it runs",
    holds: "it runs; one with effects elsewhere only when it is certain that it did not begin",
    owner: "turns",
    shown: [
      ...simulation("I2", "I6"),
      ...killed("K7, K8 %s a step is stored: its call runs once"),
      ...sigkill("a step is committed", "an effect is not committed"),
    ],
  },
  {
    id: "K9",
    title: "in a tool, its effect done, its result not stored",
    holds: "what only touches the tree runs again from the same tree; anything else does not, and the model is told",
    owner: "turns",
    shown: [
      ...simulation("I4", "I6"),
      ...killed("K9, K10 %s a result is stored: its change is made once"),
      ...recovery(
        "in a command, it runs again from the same tree",
        "in a tool with effects elsewhere, it does not run again and the model is told",
      ),
      ...test("executors.workers", "is not started again after the object died in it, and the model is told"),
      ...sigkill("an effect is committed", "a result is not committed"),
    ],
  },
  {
    id: "K10",
    title: "a result is stored, before the next step",
    holds: "the next step begins with it, and the tool does not run again",
    owner: "turns",
    shown: [
      ...simulation("I2", "I6"),
      ...killed("K9, K10 %s a result is stored: its change is made once"),
      ...recovery("once the result of such a tool is committed, it does not run again either"),
      ...sigkill("a result is committed"),
    ],
  },
  {
    id: "K11",
    title: "calls run together, two of three have their results",
    holds: "only the third runs again",
    owner: "turns",
    shown: [
      ...simulation("I2"),
      ...killed("K11 when two of three calls have their results: only the third runs again"),
      ...sigkill("two of three calls have their results"),
    ],
  },
  {
    id: "K12",
    title: "a file is written, its content stored, its tree not",
    holds: "the old content is read, and the new one is freed in time",
    owner: "turns",
    shown: [
      ...simulation("I4"),
      ...killed("K12, K13 %s a change of many files is stored: all of it or nothing"),
      ...boundaries,
      ...sigkill("60 of 100 MiB have arrived", "contents are being swept"),
    ],
  },
  {
    id: "K13",
    title: "in a change of many files, or a folder's new name",
    holds: "all of it or nothing",
    owner: "turns",
    shown: [
      ...simulation("I4"),
      ...killed("K12, K13 %s a change of many files is stored: all of it or nothing"),
      ...boundaries,
      ...bothSidesOf("a rename of 20 MiB"),
    ],
  },
  {
    id: "K14",
    title: "at each call of the bucket for a large file",
    holds: "the content is the old one or the new one, never empty",
    owner: "tree",
    shown: [
      ...boundaries,
      ...sigkill(
        "a put is on its way",
        "the object is there, the rows too",
        "20 MiB are smaller, the object is there",
        "20 MiB are deleted, the object is too",
        "a file is being read from the bucket",
      ),
    ],
  },
  {
    id: "K15",
    title: "a container is starting",
    holds: "there is never a second one for a session",
    owner: "heavy tier",
    shown: [],
  },
  {
    id: "K16",
    title: "a command runs in a container, the object dies",
    holds: "the command is found again and not started twice",
    owner: "heavy tier",
    shown: [],
  },
  {
    id: "K17",
    title: "a container dies, the object lives",
    holds: "the call says so, the files are those of the last commit, and the turn goes on",
    owner: "heavy tier",
    shown: [],
  },
  {
    id: "K18",
    title: "files come back from a container, some of them have",
    holds: "all of them or none, and conflicts are found",
    owner: "heavy tier",
    shown: [],
  },
  {
    id: "K19",
    title: "a summary is made, before it takes the place of what it sums up",
    holds: "the old conversation is whole, and nothing is summed up twice",
    owner: "compaction",
    shown: [],
  },
  {
    id: "K20",
    title: "before, in and after the alarm, also when it fails",
    holds: "the work goes on, and an alarm is always due while there is some",
    owner: "turns",
    shown: [
      ...simulation("I7", "I10"),
      ...killed("K20 %s the end of a turn is stored: it ends once, and the alarm goes on"),
      ...test(
        "recovery.workers",
        "an alarm is due soon while a slice runs, and only that of maintenance when it has ended",
      ),
      ...test("driver.workers", "a failure that cannot be recorded takes no other session with it"),
      ...test("slices.workers", "a turn of an hour goes on from slice to slice, and each call is made once"),
      ...bothSidesOf("the end of a turn"),
    ],
  },
  {
    id: "K21",
    title: "a question waits, and is answered meanwhile, twice, or too late",
    holds: "waiting costs nothing, and one answer counts, for what was asked",
    owner: "turns",
    shown: [
      ...simulation("I2", "I6"),
      ...killed("K21 %s an answer is stored: it counts once, and the call runs once"),
      ...test("approvals.workers", "is answered after a restart", "counts once, and an unknown one is an error"),
      ...bothSidesOf("a question"),
      ...bothSidesOf("an answer"),
    ],
  },
  {
    id: "K22",
    title: "a client loses its connection, the object sleeps, the client comes back",
    holds: "it sees each event once, in order, and text without a gap or a repeat",
    owner: "turns",
    shown: [
      ...simulation("I8"),
      ...around("K5, K22 in the middle of a text: it is said anew, and a client that comes back sees all of it once"),
      ...sigkill("a text is being told", "a question is committed"),
      ...test("watch.workers", "a watcher that comes back in the middle of a text gets each piece of it once"),
      ...test("route-agents.workers", "that comes back with its last seq misses nothing and gets nothing twice"),
    ],
  },
  {
    id: "K23",
    title: "new code comes in the middle of a turn, with an older journal",
    holds: "the new code means the same by it, and goes on",
    owner: "turns",
    shown: [
      ...simulation("I7"),
      ...around("K23 %s of the journal: new code goes on in a turn of it"),
      // Each start of workerd is new code.
      ...sigkill(...turnPoints.filter(({ journal }) => journal).map(({ name }) => name)),
      ...test(
        "golden-journals",
        "%s means what it meant",
        "a journal of a later version is refused, and says what to do",
      ),
    ],
  },
  {
    id: "K24",
    title: "a preview is loaded anew while a request is under way, or dies while it starts, answers or writes",
    holds:
      "the request is answered by one version, never by a mix; what was acknowledged is kept, and it comes back by itself",
    owner: "previews",
    shown: [
      ...tests("test", reload, ["K24 %s is answered by one version", "K24 an object is taken over by a new version"]),
      ...tests("abort", hosted, ["K24 an agent dies in a request: the next one has one version"]),
      ...sigkill(...previewPoints.map(({ name }) => name)),
    ],
  },
  {
    id: "K25",
    title: "a race is killed in the middle",
    holds: "only what was not finished runs again, with the same seeds",
    owner: "race",
    shown: [],
  },
  {
    id: "K26",
    title: "at every step, again and again",
    holds: "the turn is given up with its reason, at a bounded cost",
    owner: "turns",
    shown: [
      ...simulation("I7"),
      ...killed("K26 in a crash loop: the turn is given up with its reason, at a bounded cost"),
      ...recovery("too often without progress, the turn is given up with a reason"),
      ...sigkill("a call kills the object each time"),
    ],
  },
  {
    id: "K27",
    title: "the old instance runs on beside the new one",
    holds: "it has no more effects, and writes nothing",
    owner: "turns",
    shown: [
      ...simulation("I5", "I6"),
      ...around("K27 an instance that was replaced and runs on has no more effects, and writes nothing"),
      {
        by: "nothing",
        instead: "SIGKILL",
        because: "an instance runs on in a process that lives: none is left when workerd is killed",
      },
    ],
  },
  {
    id: "K28",
    title: "the storage is full, or refuses a row",
    holds: "a typed error, and nothing changed",
    owner: "turns",
    shown: [
      ...simulation("I4", "I7"),
      ...test(
        "kill-points-around.workers",
        "K28 a full storage while a result is stored changes nothing, and the call runs when there is room",
      ),
      ...around("K28 with the storage full: a prompt is refused, and a turn runs when there is room"),
      ...sigkill("the storage is full when a turn begins", "the storage is full when a call has run"),
      ...test(
        "driver.workers",
        "because the storage refuses it is not tried without end, and goes on with the next prompt",
      ),
    ],
  },
];
