// Records journals of the current version that are not there yet: `npm run node -- scripts/record-journals.mjs`. What is
// recorded stays as it is: it stands for the journals that are out there.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JOURNAL_VERSION } from "../packages/protocol/src/index.ts";
import { foldsOf, storedJournal, toLines } from "../packages/runtime/src/golden/with-reading.ts";
import { RECORDINGS, record } from "../packages/runtime/src/golden/with-recordings.ts";

const folder = join(import.meta.dirname, "../packages/runtime/src/golden", `v${JOURNAL_VERSION}`);
mkdirSync(folder, { recursive: true });
for (const recording of RECORDINGS) {
  const file = join(folder, `${recording.name}.jsonl`);
  if (existsSync(file)) continue;
  const events = await record(recording);
  const { journal, session } = storedJournal(JOURNAL_VERSION, events);
  writeFileSync(file, toLines(JOURNAL_VERSION, events));
  writeFileSync(file.replace(/l$/, ""), `${JSON.stringify(foldsOf(journal, session), null, 2)}\n`);
  console.log(`${recording.name}: ${events.length} events`);
}
