import type { Script, ScriptPart, ScriptStep } from "@tenrec/testkit";
import { prompt } from "./prompt.ts";

const config = `{
  "name": "guest-book",
  "main": "src/index.ts",
  "compatibility_date": "2026-11-01",
  "assets": { "directory": "public" },
  "kv_namespaces": [{ "binding": "BOOK", "id": "guest-book" }]
}
`;

const broken = "  const entries = JSON.parse(await env.BOOK.get(KEY)) as Entry[];";
const mended = '  const entries = JSON.parse((await env.BOOK.get(KEY)) ?? "[]") as Entry[];';

const worker = `interface Entry {
  name: string;
  text: string;
  at: number;
}

interface Env {
  BOOK: KVNamespace;
}

const KEY = "entries";

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/api/entries") return new Response("Not found\\n", { status: 404 });
    const entries = await load(env);
    if (request.method !== "POST") return Response.json(entries.toReversed());
    const { name = "", text = "" } = (await request.json()) as Partial<Entry>;
    if (name.trim() === "" || text.trim() === "") {
      return Response.json({ error: "Say your name and something else." }, { status: 400 });
    }
    const entry = { name: name.slice(0, 80), text: text.slice(0, 1000), at: Date.now() };
    await env.BOOK.put(KEY, JSON.stringify([...entries, entry].slice(-200)));
    return Response.json(entry, { status: 201 });
  },
} satisfies ExportedHandler<Env>;

async function load(env: Env): Promise<Entry[]> {
${broken}
  return entries;
}
`;

const page = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width">
  <title>Guest book</title>
  <link rel="stylesheet" href="style.css">
  <h1>Guest book</h1>
  <form>
    <input name="name" placeholder="Your name" required maxlength="80">
    <textarea name="text" placeholder="Your message" required maxlength="1000"></textarea>
    <button>Sign</button>
  </form>
  <ol></ol>
  <script type="module" src="page.js"></script>
</html>
`;

const script = `const [form, list] = [document.querySelector("form"), document.querySelector("ol")];

async function show() {
  const entries = await (await fetch("api/entries")).json();
  list.replaceChildren(...entries.map(({ name, text, at }) => {
    const item = document.createElement("li");
    const [who, what] = [document.createElement("b"), document.createElement("p")];
    who.textContent = name + ", " + new Date(at).toLocaleString();
    what.textContent = text;
    item.append(who, what);
    return item;
  }));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  await fetch("api/entries", { method: "POST", body });
  form.reset();
  await show();
});

await show();
`;

const light = `body { max-width: 34rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; background: #fdf8f0; color: #2b2118; }
form { display: grid; gap: 0.5rem; }
input, textarea, button { font: inherit; padding: 0.5rem; border: 1px solid #c9b79f; border-radius: 0.4rem; }
button { background: #a8581b; color: white; border: none; }
ol { list-style: none; padding: 0; }
li { margin: 1rem 0; padding: 0.75rem 1rem; border-radius: 0.6rem; background: white; }
li p { margin: 0.25rem 0 0; white-space: pre-wrap; }
`;
const dark = "#1d1916; color: #f2e8db; color-scheme: dark";

const write = (path: string, content: string): ScriptPart => ({ call: "write", input: { path, content } });
const ask = (method: string, more: Record<string, string> = {}): ScriptPart => ({
  call: "preview",
  input: { path: "/api/entries", method, ...more },
});

const build: readonly ScriptStep[] = [
  {
    when: { prompt: { includes: prompt } },
    say: [
      { text: "A Worker with one route and a page beside it. First what it stores and answers." },
      write("wrangler.jsonc", config),
      write("src/index.ts", worker),
    ],
  },
  {
    say: [
      { text: "Now the page." },
      write("public/index.html", page),
      write("public/style.css", light),
      write("public/page.js", script),
    ],
  },
  { say: [{ text: "Does it answer while nobody has signed?" }, ask("GET")] },
  {
    when: { result: { tool: "preview", includes: "src/index.ts" } },
    say: [
      { text: "It does not: KV has nothing under that name yet, and `JSON.parse` makes `null` of it." },
      { call: "edit", input: { path: "src/index.ts", edits: [{ oldText: broken, newText: mended }] } },
    ],
  },
  { say: [{ text: "I did not expect that answer. Look at the preview before you keep the changes." }] },
  {
    say: [
      { text: "Once more, and then the first entry." },
      ask("GET"),
      ask("POST", { body: JSON.stringify({ name: "Tenrec", text: "The first entry, from the one who built this." }) }),
      ask("GET"),
    ],
  },
  {
    say: [
      {
        text:
          "Done: the guest book is beside this conversation, with its first entry. It keeps the last 200 in KV.\n\n" +
          'Say "Make it dark" to see an edit arrive.',
      },
    ],
  },
];

const recolor: readonly ScriptStep[] = [
  {
    when: { prompt: { includes: "dark" } },
    say: [
      { text: "The colours are in `public/style.css`." },
      {
        call: "edit",
        input: {
          path: "public/style.css",
          edits: [
            { oldText: "#fdf8f0; color: #2b2118", newText: dark },
            { oldText: "background: white", newText: "background: #2c2621" },
          ],
        },
      },
    ],
  },
  { say: [{ text: "It is dark now. Entries are still there: an edit does not touch what the app stores." }] },
];

const other: ScriptStep = {
  when: { prompt: { includes: "" } },
  say: [
    {
      text:
        'I am a script and know two prompts: the first one of `npm run app-builder`, and "Make it dark". ' +
        "Start again with ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL set, and a real model builds what you ask for.",
    },
  ],
};

/** Plays the model where none is configured. Its tool calls are real, and so is the mistake that it finds. */
export const tour: Script = { model: "tour", pace: 8, steps: [...build, ...recolor, other] };
