import { render, renderToStringAsync } from "preact-render-to-string";
import { List, Locale } from "./list";

const items: [string, number][] = [
  ["Tea <strong>", 450],
  ["Cake", 1250],
];

export default {
  async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const page = (
      <Locale.Provider value={url.searchParams.get("locale") ?? "en"}>
        <List items={items} />
      </Locale.Provider>
    );
    const html = url.pathname === "/async" ? await renderToStringAsync(page) : render(page);
    return new Response(`<!doctype html>${html}`, { headers: { "content-type": "text/html" } });
  },
};
