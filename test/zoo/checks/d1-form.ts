import type { Check } from "../check.ts";

export const d1Form: readonly Check[] = [
  {
    ask: "/",
    status: 200,
    gives: { "content-type": "text/html;charset=utf-8" },
    text: /<ol><li id="entry-1"><b>The house<\/b>: Welcome; sign below! \(0\)/,
  },
  {
    ask: "POST /sign",
    form: { name: "Ada & <Bo>", message: 'said "hi"' },
    status: 303,
    gives: { location: "{origin}/#entry-2" },
  },
  { ask: "/", name: "/ after signing", status: 200, text: /<b>Ada &amp; &lt;Bo&gt;<\/b>: said &quot;hi&quot; \(0\)/ },
  {
    ask: "POST /sign",
    name: "POST /sign without a name",
    form: { name: " ", message: "x" },
    status: 400,
    text: /<p role="alert">Please give a name.<\/p>/,
  },
  {
    ask: "POST /sign",
    name: "POST /sign with too much",
    form: { name: "Long", message: "x".repeat(201) },
    status: 422,
    text: /CHECK constraint failed/,
  },
  {
    ask: "POST /sign",
    name: "POST /sign as multipart",
    parts: { name: "Çelik", message: "ünïcode ✓" },
    status: 303,
    gives: { location: "{origin}/#entry-3" },
  },
  { ask: "POST /like", form: { id: "2" }, status: 303, gives: { location: "{origin}/" } },
  { ask: "POST /like", name: "POST /like again", form: { id: "2" }, status: 303 },
  {
    ask: "POST /like",
    name: "POST /like of nothing",
    form: { id: "99" },
    status: 500,
    text: /FOREIGN KEY constraint failed/,
    apart: true,
  },
  {
    ask: "/stats.json",
    status: 200,
    is: {
      total: { n: 3, likes: 2, length: 12.666666666666666 },
      raw: [
        ["name", "likes"],
        ["Ada & <Bo>", 2],
        ["The house", 0],
        ["Çelik", 0],
      ],
      exec: 1,
    },
  },
  { ask: "GET /sign", status: 404, text: "Not found" },
];
