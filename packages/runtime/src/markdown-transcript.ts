import type { DurableEvent, InputPart, SessionInfo, ToolCallEvent, ToolResultEvent } from "@tenrec/protocol";
import { journalPages } from "./journal-pages.ts";
import { isLive } from "./live-events.ts";
import { NATIVE_ENGINE } from "./native-engine.ts";
import type { Workspace } from "./workspace.ts";

/** What is shown of a call's arguments and of its output; the JSON lines have all of it. In UTF-16 units. */
const MAX_SHOWN = 4000;

function fenced(text: string): string {
  const rest = text.length - MAX_SHOWN;
  const shown = rest > 0 ? `${text.slice(0, MAX_SHOWN)}\n… ${rest} more characters` : text;
  // Longer than any in the text, so that it ends where it should.
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${shown.trimEnd()}\n${fence}`;
}

function quoted(parts: readonly InputPart[]): string {
  const text = parts
    .map((part) => (part.type === "text" ? part.text : `[${part.filename ?? part.mediaType}]`))
    .join("\n");
  return text.replace(/^/gm, "> ");
}

function callText({ toolName, input }: Pick<ToolCallEvent, "toolName" | "input">, result: ToolResultEvent): string {
  const { status, output } = result;
  return `**${toolName}** ${status}\n\n${fenced(JSON.stringify(input, null, 2))}\n\n${fenced(output.text)}`;
}

/** What is remembered on the way through the events. */
class Writer {
  readonly #prompts = new Map<string, readonly InputPart[]>();
  readonly #calls = new Map<string, ToolCallEvent>();
  #steering: string[] = [];
  #canJoin = false;
  #isOpen = false;

  /** Paragraphs that an event adds. */
  write(event: DurableEvent): string[] {
    switch (event.type) {
      case "input":
        this.#prompts.set(event.operationId, event.parts);
        if (event.whenBusy === "steer" && this.#canJoin) this.#steering.push(event.operationId);
        return [];
      case "turn-start":
        this.#isOpen = true;
        this.#canJoin = event.engine === NATIVE_ENGINE;
        return [`## Turn ${event.turn}`, ...this.#take(event.operationIds)];
      case "step-start":
        return this.#take(this.#steering.splice(0));
      case "step-end":
        return event.content.flatMap((part) => (part.type === "text" && part.text !== "" ? [part.text] : []));
      case "tool-call":
        this.#calls.set(event.toolCallId, event);
        return [];
      case "tool-result": {
        const call = this.#calls.get(event.toolCallId);
        this.#calls.delete(event.toolCallId);
        return [callText(call ?? { toolName: event.toolName, input: null }, event)];
      }
      case "turn-end":
        this.#end();
        return event.reason === "done" ? [] : [`*${event.text}*`];
      case "undo": {
        const isCut = this.#isOpen;
        this.#end();
        this.#prompts.clear();
        return isCut ? ["*The rest of this turn was taken back.*"] : [];
      }
      case "reset":
        return ["---", ...(event.handoff === undefined ? [] : [event.handoff])];
      default:
        return [];
    }
  }

  #end(): void {
    this.#steering = [];
    this.#canJoin = false;
    this.#isOpen = false;
    this.#calls.clear();
  }

  #take(ids: readonly string[]): string[] {
    return ids.flatMap((id) => {
      const parts = this.#prompts.get(id);
      this.#prompts.delete(id);
      return parts ? [quoted(parts)] : [];
    });
  }
}

/** A session for people to read, as Markdown, without what was undone. Holds one page of it at a time. */
export function* markdownTranscript(workspace: Workspace, session: SessionInfo): Generator<string> {
  const { journal } = workspace;
  const { id, title, createdAt, lastSeq } = session;
  const { undos } = journal.state(id);
  const writer = new Writer();
  yield `# ${title}\n`;
  yield `Session ${id}, begun ${new Date(createdAt).toISOString()}\n`;
  for (const event of journalPages(journal, id, lastSeq)) {
    if (!isLive(undos, event.seq)) continue;
    for (const paragraph of writer.write(event)) yield `${paragraph}\n`;
  }
}
