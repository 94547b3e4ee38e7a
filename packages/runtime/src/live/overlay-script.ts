const STYLES = [
  ":host { all: initial; color-scheme: light dark; position: fixed; z-index: 2147483647; inset: auto 0 0 0; width: auto;",
  "  max-height: 60vh; margin: 0.75rem; padding: 0; border: 1px solid light-dark(#d33, #f77); border-radius: 0.5rem; overflow: auto;",
  "  background: light-dark(#fff, #211a1a); color: light-dark(#222, #eee); font: 14px/1.5 system-ui, sans-serif;",
  "  box-shadow: 0 0.25rem 1.5rem rgb(0 0 0 / 0.35); user-select: text; cursor: auto; }",
  "header { position: sticky; top: 0; display: flex; gap: 0.75rem; align-items: center; padding: 0.5rem 0.75rem;",
  "  background: inherit; background: light-dark(#fdecec, #3a2020); }",
  "header p { flex: 1; margin: 0; }",
  "button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; border-radius: 0.35rem;",
  "  padding: 0.1rem 0.6rem; cursor: pointer; }",
  "section { padding: 0.75rem; border-top: 1px solid light-dark(#ddd, #444); }",
  "h2 { margin: 0; font-size: 15px; color: light-dark(#b3151f, #ff8a8a); overflow-wrap: anywhere; white-space: pre-wrap; }",
  ".place { margin: 0.25rem 0 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }",
  "pre { margin: 0.5rem 0 0; font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; }",
  "pre.stack { opacity: 0.75; white-space: pre-wrap; overflow-wrap: anywhere; }",
].join(" ");

/**
 * Of the script of a page: shows what nobody caught, in a box that can be closed. It is apart from the app's styles, and all of
 * it is text. What the agent's object says of places in the files comes a little later.
 */
export const OVERLAY_SCRIPT: string = `
  const shown = new Map();
  const places = new Map();
  let [box, list] = [];
  const make = (tag, name, ...children) => {
    const made = document.createElement(tag);
    made.className = name;
    made.append(...children);
    return made;
  };
  const close = () => { box?.remove(); box = undefined; shown.clear(); };
  const open = () => {
    box = document.createElement("tenrec-errors");
    const root = box.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(STYLES)});
    root.adoptedStyleSheets = [sheet];
    const button = make("button", "", "Close (Esc)");
    button.type = "button";
    button.onclick = close;
    list = make("div", "");
    root.append(make("header", "", make("p", "", "The app failed here, and the agent is told. This goes when the files change."), button), list);
    box.setAttribute("role", "alert");
    box.popover = "manual";
    document.documentElement.append(box);
    box.showPopover?.();
  };
  const fill = ([section, error]) => {
    const { message, stack, at, frame } = { ...error, ...places.get(error.id) };
    const place = at ? at.path + ":" + at.line + ":" + at.column : /\\/[^\\s()]*:\\d+:\\d+/.exec(stack)?.[0];
    section.replaceChildren(make("h2", "", message));
    if (place) section.append(make("p", "place", place.replace(/^\\//, "")));
    if (frame) section.append(make("pre", "", frame));
    const frames = stack.split("\\n").filter((each) => /:\\d+:\\d+/.test(each));
    if (frames.length > 1) section.append(make("pre", "stack", frames.slice(0, 8).join("\\n")));
  };
  const show = (error) => {
    if (shown.size >= 3) return;
    if (!box) open();
    const entry = [make("section", ""), error];
    shown.set(error.id, entry);
    fill(entry);
    list.append(entry[0]);
  };
  const locate = (found) => {
    places.set(found.id, found);
    const entry = shown.get(found.id);
    if (entry) fill(entry);
  };
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    close();
  }, true);
`;
