// Runs the apps of test/zoo in Tenrec's preview and under `wrangler dev`, and compares what they answer; `--help` says more.
// The last line is `N passed, N failed`.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cleanUpOnSignals, createCleanUp } from "../test/bench/frame/clean-up.ts";
import { runFolder } from "../test/bench/frame/run-folder.ts";
import { zooLine, zooTotals } from "../test/zoo/report.ts";
import { runZoo } from "../test/zoo/run-zoo.ts";
import { ZOO } from "../test/zoo/zoo-apps.ts";

const HELP = `npm run test:zoo [-- <app> …]

Runs real apps twice, in the preview of an agent in workerd and under \`wrangler dev\`, asks both the same, and compares the
answers: status, headers, body, and what goes over WebSockets and streams. Without arguments, all apps: minutes.

  <app>            these only: ${ZOO.map(({ name }) => name).join(" ")}
  --preview-only   without wrangler dev: only what the answers must be
  --help           this text`;

const cleanUp = createCleanUp();
cleanUpOnSignals(cleanUp);
const chosen = choose();
if (chosen) process.exitCode = await run(chosen);

function choose() {
  try {
    const options = { help: { type: "boolean", short: "h" }, "preview-only": { type: "boolean" } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      console.log(HELP);
      return;
    }
    const unknown = positionals.find((name) => !ZOO.some((app) => app.name === name));
    if (unknown !== undefined) throw new Error(`There is no app ${unknown}.`);
    const apps = positionals.length === 0 ? ZOO : ZOO.filter(({ name }) => positionals.includes(name));
    return { apps, beside: !values["preview-only"] };
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exitCode = 2;
  }
}

async function run({ apps, beside }) {
  try {
    const folder = runFolder(join(tmpdir(), "tenrec-zoo"), cleanUp);
    const results = await runZoo(apps, { folder, cleanUp, beside, say: (result) => console.log(zooLine(result)) });
    console.log(zooTotals(results).join("\n"));
    return results.some(({ problems }) => problems.length > 0) ? 1 : 0;
  } finally {
    cleanUp.run();
  }
}
