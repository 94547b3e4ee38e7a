import type { SessionInfo } from "@tenrec/protocol";
import type { AgentClient } from "@tenrec/runtime/client";
import { byId, element } from "./dom.ts";

export interface SessionList {
  /** Reads the list again, with this session as the open one. */
  refresh(agent: AgentClient, open: string): Promise<void>;
}

/** The sessions of the workspace, the newest first, and a button for a new one. */
export function connectSessionList(onOpen: (session: string) => void, onNew: () => void): SessionList {
  const select = byId("sessions", HTMLSelectElement);
  select.addEventListener("change", () => onOpen(select.value));
  byId("new-session", HTMLButtonElement).addEventListener("click", onNew);
  return {
    async refresh(agent, open) {
      const sessions = await agent.sessions.list();
      const options = sessions.toSorted((a, b) => b.createdAt - a.createdAt).map(option);
      select.replaceChildren(...options);
      select.value = open;
    },
  };
}

function option({ id, title, createdAt }: SessionInfo): HTMLOptionElement {
  const made = element("option", "", `${timeText(new Date(createdAt))} · ${title}`);
  made.value = id;
  return made;
}

/** The time today, the date of any other day. */
function timeText(time: Date): string {
  const isToday = time.toDateString() === new Date().toDateString();
  return time.toLocaleString(undefined, isToday ? { timeStyle: "short" } : { dateStyle: "short" });
}
