import type { Check } from "../check.ts";

const key = { "x-api-key": "letmein" };

export const itty: readonly Check[] = [
  { ask: "/v2", status: 200, is: { name: "todo-api", version: "2" } },
  { ask: "/", status: 404, is: { status: 404, error: "Not here." } },
  {
    ask: "POST /v2/todos",
    name: "POST without a key",
    json: { text: "milk" },
    status: 401,
    is: { status: 401, error: "Bring a key." },
  },
  { ask: "POST /v2/todos", name: "POST without a text", headers: key, json: {}, status: 422 },
  {
    ask: "POST /v2/todos",
    headers: { ...key, origin: "https://elsewhere.example" },
    json: { text: "milk" },
    status: 201,
    gives: { "access-control-allow-origin": "*" },
    is: { id: "0001", text: "milk", done: false },
  },
  { ask: "POST /v2/todos", name: "POST another", headers: key, json: { text: "bread & böreğ" }, status: 201 },
  { ask: "PUT /v2/todos/0002/done", headers: key, status: 200, is: { id: "0002", text: "bread & böreğ", done: true } },
  {
    ask: "/v2/todos?limit=1",
    status: 200,
    is: { todos: [{ id: "0001", text: "milk", done: false }], done: 0, complete: false },
  },
  { ask: "DELETE /v2/todos/0001", headers: key, status: 204, text: "" },
  { ask: "/v2/todos/0001", status: 404 },
  {
    ask: "/v2/todos",
    status: 200,
    is: { todos: [{ id: "0002", text: "bread & böreğ", done: true }], done: 1, complete: true },
  },
  { ask: "/v2/files/a/b%20c/d.txt", status: 200, is: { path: "a/b%20c/d.txt" } },
  {
    ask: "OPTIONS /v2/todos",
    headers: { origin: "https://elsewhere.example", "access-control-request-method": "PUT" },
    status: 204,
    gives: { "access-control-max-age": "86400" },
  },
  { ask: "/v2/boom", status: 500 },
];
