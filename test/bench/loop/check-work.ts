import { checkTurn, type LoopContext, type Place, runTurn, withObject } from "./context.ts";
import type { WorkerSubject } from "../frame/worker-subject.ts";
import { ANSWER, answersOf, nameOf, treeAfter, type Work } from "./work.ts";
import type { CheckAnswer, TurnAnswer } from "./workers/turn-object.ts";

/** What is wrong with a turn; undefined when all of its work was done. */
export function problemWith(work: Work, { text, calls }: TurnAnswer, check?: CheckAnswer): string | undefined {
  // One of the peers answers with the texts of all steps.
  if (!text.endsWith(ANSWER)) return `the answer is ${JSON.stringify(text.slice(-300))}`;
  if (calls !== work.steps + 1) return `${calls} model calls, not ${work.steps + 1}`;
  if (!check) return undefined;
  const expected = answersOf(work);
  if (check.answers.length !== expected.length) return `${check.answers.length} results of tools`;
  const wrong = expected.findIndex((part, index) => !check.answers[index]?.includes(part));
  if (wrong >= 0) return `step ${wrong + 1} was told ${JSON.stringify(check.answers[wrong]?.slice(0, 300))}`;
  const texts = new Map(check.files.map((file) => [file.path, file.text]));
  const files = treeAfter(work);
  const other = files.find((file) => texts.get(file.path) !== file.text);
  if (other) return `${other.path} is not as it should be`;
  return texts.size === files.length ? undefined : `${texts.size} files, not ${files.length}`;
}

/** Lets a subject do the work once, which also warms it up, and reports what is wrong with it. Says whether it is right. */
export async function checkWork(
  context: LoopContext,
  subject: WorkerSubject,
  work: Work,
  place: Place,
): Promise<boolean> {
  const problem = await withObject(subject, async (object) => {
    const answer = await runTurn(context, subject, object, { work, place });
    return problemWith(work, answer, await checkTurn(subject, object));
  });
  if (problem !== undefined) context.report.fail(`${subject.name}, ${nameOf(work)}, ${place}: ${problem}`);
  return problem === undefined;
}
