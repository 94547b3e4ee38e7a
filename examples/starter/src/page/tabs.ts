import { byId } from "./dom.ts";

const VIEWS = ["conversation", "changes", "files"] as const;
type View = (typeof VIEWS)[number];

/** With this much room the conversation stands beside the other views; as in page.css. */
const WIDE = "(min-width: 900px)";

/** Shows one view, or on a wide page the conversation and one of the others. Arrow keys move between the tabs. */
export function connectTabs(): void {
  const wide = matchMedia(WIDE);
  let chosen: View = wide.matches ? "changes" : "conversation";
  let side: View = "changes";

  const render = (): void => {
    const selected = wide.matches ? side : chosen;
    for (const view of VIEWS) {
      const tab = byId(`tab-${view}`, HTMLButtonElement);
      const isSelected = view === selected;
      tab.setAttribute("aria-selected", String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      tab.hidden = wide.matches && view === "conversation";
      byId(`${view}-panel`, HTMLElement).hidden = !isSelected && !(wide.matches && view === "conversation");
    }
  };
  const choose = (view: View): void => {
    chosen = view;
    if (view !== "conversation") side = view;
    render();
  };
  const move = (event: KeyboardEvent, from: View): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const shown = VIEWS.filter((view) => !byId(`tab-${view}`, HTMLButtonElement).hidden);
    const next = shown[(shown.indexOf(from) + step + shown.length) % shown.length];
    if (next === undefined) return;
    choose(next);
    byId(`tab-${next}`, HTMLButtonElement).focus();
  };

  for (const view of VIEWS) {
    const tab = byId(`tab-${view}`, HTMLButtonElement);
    tab.addEventListener("click", () => choose(view));
    tab.addEventListener("keydown", (event) => move(event, view));
  }
  wide.addEventListener("change", render);
  render();
}
