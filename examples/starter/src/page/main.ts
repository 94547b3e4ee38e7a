import type { SessionPoint } from "@tenrec/protocol";
import { type AgentClient, connect, type SessionClient } from "@tenrec/runtime/client";
import { askToken } from "./access-dialog.ts";
import { ChangesView } from "./changes-view.ts";
import { ConversationView } from "./conversation-view.ts";
import { keepSession, keepToken, takeCredentials } from "./credentials.ts";
import { byId } from "./dom.ts";
import { FilesView } from "./files-view.ts";
import { openSession } from "./open-session.ts";
import { connectPromptBox } from "./prompt-box.ts";
import { connectSessionList } from "./session-list.ts";
import { connectTabs } from "./tabs.ts";

const AGENT = "/agents/coder/starter";

interface Open {
  readonly agent: AgentClient;
  readonly session: SessionClient;
  readonly stop: AbortController;
}

let current: Open | undefined;

const status = byId("status", HTMLElement);
const changes = new ChangesView(byId("changes-panel", HTMLElement));
const files = new FilesView(byId("files-panel", HTMLElement));
const conversation = new ConversationView(
  byId("conversation", HTMLElement),
  async (id, answer) => {
    await current?.session.answer(id, answer);
  },
  (to) => void undo(to).catch(report),
);
const promptBox = connectPromptBox({
  submit: async (text) => {
    await current?.session.submit(text);
    conversation.follow();
  },
  stop: async () => current?.session.abort(),
});
const list = connectSessionList(
  (id) => current && void open(current.agent, current.agent.session(id)).catch(report),
  () => void startSession().catch(report),
);

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function report(error: unknown): void {
  promptBox.setProblem(error instanceof Error ? error.message : String(error));
}

/** A new session begins with the files of the one that is open. */
async function startSession(): Promise<void> {
  if (!current) return;
  const { agent, session } = current;
  await open(agent, await agent.sessions.create({ filesFrom: session.id }));
}

/** What others changed since is overwritten only when a person says so. */
async function undo(to: SessionPoint): Promise<void> {
  if (!current) return;
  const { session } = current;
  promptBox.setProblem("");
  try {
    await session.undo(to);
  } catch (error) {
    if (!hasCode(error, "undo-conflict") || !confirm((error as Error).message)) throw error;
    await session.undo(to, { force: true });
  }
}

async function refreshFiles({ session, stop }: Open): Promise<void> {
  const [diffs] = await Promise.all([session.files.diff(), files.refresh()]);
  if (!stop.signal.aborted) changes.show(diffs);
}

/** Shows a session in place of the one that is open. */
async function open(agent: AgentClient, session: SessionClient): Promise<void> {
  current?.stop.abort();
  const opened: Open = { agent, session, stop: new AbortController() };
  current = opened;
  keepSession(session.id);
  conversation.clear();
  changes.clear();
  files.clear(session.files);
  promptBox.setProblem("");
  const views = {
    event: (event: Parameters<typeof conversation.add>[0]) => conversation.add(event),
    status: (text: string, busy: boolean) => {
      status.textContent = text;
      promptBox.setBusy(busy);
    },
    filesChanged: () => void refreshFiles(opened).catch(report),
    listChanged: () => void list.refresh(agent, session.id).catch(report),
  };
  try {
    await openSession(session, views, opened.stop.signal);
  } catch (error) {
    if (!opened.stop.signal.aborted) await recover(error, agent);
  }
}

async function recover(error: unknown, agent: AgentClient): Promise<void> {
  if (hasCode(error, "unauthorized")) return begin(await askToken("The token was refused."));
  if (hasCode(error, "session-not-found") || hasCode(error, "request-invalid")) return openNewest(agent);
  status.textContent = "stopped";
  report(error);
}

async function openNewest(agent: AgentClient): Promise<void> {
  const sessions = await agent.sessions.list();
  const newest = sessions.toSorted((a, b) => b.createdAt - a.createdAt)[0];
  // Refused once more, it would be opened for ever.
  if (newest && newest.id === current?.session.id) throw new Error("The newest session cannot be opened.");
  await open(agent, newest ? agent.session(newest.id) : await agent.sessions.create({ filesFrom: null }));
}

async function begin(token?: string): Promise<void> {
  if (token !== undefined) keepToken(token);
  const found = takeCredentials();
  if (found.token === undefined) return begin(await askToken("This page needs the token that npm start has shown."));
  const agent = connect(location.origin + AGENT, { token: found.token });
  try {
    await (found.session === undefined ? openNewest(agent) : open(agent, agent.session(found.session)));
  } catch (error) {
    await recover(error, agent);
  }
}

connectTabs();
// Another address pasted into this tab changes its fragment only.
addEventListener("hashchange", () => void begin().catch(report));
void begin().catch(report);
