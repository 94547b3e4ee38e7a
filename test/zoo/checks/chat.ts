import type { Check } from "../check.ts";

const say = (text: string): string => JSON.stringify({ say: text });
const said = (name: string, text: string, count: number): string => JSON.stringify({ name, say: text, said: count });

export const chat: readonly Check[] = [
  {
    ask: "/",
    status: 200,
    gives: { "content-type": "text/html; charset=utf-8" },
    text: /<title>Chat<\/title>/,
    varying: ["etag"],
  },
  { ask: "/rooms/a/history", status: 200, is: [] },
  { ask: "/rooms/a/socket", status: 426, text: "Expected a WebSocket" },
  { ask: "/rooms/a%20b/id", status: 200, is: { name: "a b", same: true, hex: true } },
  { ask: "/rooms/a/dance", status: 404 },
  {
    name: "two people talk",
    steps: [
      { socket: "ada", path: "/rooms/a/socket?name=ada" },
      { receive: "ada", data: '{"history":[]}' },
      { socket: "bo", path: "/rooms/a/socket?name=bo" },
      { receive: "bo", data: '{"history":[]}' },
      { receive: "ada", data: '{"joined":"bo","present":["ada","bo"]}' },
      { send: "ada", data: say("hi") },
      { receive: "ada", data: said("ada", "hi", 1) },
      { receive: "bo", data: said("ada", "hi", 1) },
      { send: "bo", data: say("hello ✓") },
      { receive: "ada", data: said("bo", "hello ✓", 1) },
      { receive: "bo", data: said("bo", "hello ✓", 1) },
      { send: "bo", data: '{"whisper":"psst","to":"ada"}' },
      { receive: "ada", data: '{"from":"bo","whisper":"psst"}' },
      { send: "ada", data: "ping" },
      { receive: "ada", data: "pong" },
      { send: "ada", data: [1, 2, 255] },
      { receive: "ada", data: "[2,255]" },
      { ask: "/rooms/a/present", status: 200, is: ["ada", "bo"] },
      { close: "bo", code: 3001, reason: "off to bed" },
      { receive: "ada", data: '{"left":"bo"}' },
      { ask: "/rooms/a/left", status: 200, is: { name: "bo", code: 3001, reason: "off to bed", wasClean: true } },
      { send: "ada", data: say("/quit") },
      { closed: "ada", code: 4000, reason: "bye" },
    ],
  },
  {
    ask: "/rooms/a/history",
    name: "the history is kept",
    status: 200,
    is: [
      { name: "ada", text: "hi" },
      { name: "bo", text: "hello ✓" },
    ],
  },
  {
    name: "an alarm clears the room, which others are not",
    steps: [
      { socket: "ada", path: "/rooms/a/socket?name=ada" },
      { receive: "ada", data: /history/ },
      { socket: "cy", path: "/rooms/b/socket?name=cy" },
      { receive: "cy", data: '{"history":[]}' },
      { send: "cy", data: say("alone") },
      { receive: "cy", data: said("cy", "alone", 1) },
      { ask: "POST /rooms/a/clear", status: 200, is: { soon: true } },
      { receive: "ada", data: '{"cleared":true}' },
      { ask: "/rooms/a/history", status: 200, is: [] },
      { ask: "/rooms/b/history", status: 200, is: [{ name: "cy", text: "alone" }] },
    ],
  },
  {
    name: "a handler that throws",
    steps: [
      { socket: "di", path: "/rooms/c/socket?name=di" },
      { receive: "di", data: /history/ },
      { send: "di", data: say("/crash") },
      { send: "di", data: say("still here?") },
      { receive: "di", data: said("di", "still here?", 1) },
    ],
  },
];
