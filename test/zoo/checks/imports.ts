import type { Check } from "../check.ts";

export const imports: readonly Check[] = [
  { ask: "/json", status: 200, is: { name: "imports", nested: { list: [1, 2.5, null, true] } } },
  { ask: "/text", status: 200, is: ["line one\nline two ✓\n", "<p>imports</p>\n", "SELECT 1;"] },
  { ask: "/bin", status: 200, is: [0, 1, 254, 255] },
  { ask: "/wasm", status: 200, is: 42 },
  { ask: "/commonjs", status: 200, is: ["Hello, Zoo", 3] },
  { ask: "/typescript", status: 200, is: [6, "Green", "l", "stack#: 6", false, 8, 2.5] },
  { ask: "/namespace", status: 200, is: [5, 96] },
  { ask: "/decorators", status: 200, is: [["shapes/Circle"], "CIRCLE OF 2"] },
  { ask: "/node", status: 200, is: ["24fe93c9", "b", "em9v"] },
  { ask: "/dynamic", status: 200, is: ["math", 42] },
  { ask: "/", status: 404 },
];
