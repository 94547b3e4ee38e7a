import type { Check } from "../check.ts";

export const hono: readonly Check[] = [
  {
    ask: "/",
    status: 200,
    gives: { "content-type": "text/html; charset=UTF-8" },
    text: /^<html lang="en"><head><title>Books: fiction<\/title>.*A\. &amp; B\. Strugatsky<\/li><\/ul><\/body><\/html>$/,
  },
  { ask: "/page/2", status: 200, gives: { "x-frame-options": "SAMEORIGIN" }, text: /<h1>Kindred<\/h1>/ },
  { ask: "/page/9", status: 404, text: "No such book" },
  { ask: "/page/x", status: 404, text: "Nothing at /page/x" },
  { ask: "HEAD /", status: 200, text: "" },
  {
    ask: "/api/books?page=2",
    headers: { origin: "https://shop.example" },
    status: 200,
    gives: { etag: /^"[0-9a-f]{40}"$/, "access-control-allow-origin": "https://shop.example" },
    is: { page: 2, books: [{ id: 3, title: "Picnic", author: "A. & B. Strugatsky" }] },
  },
  {
    ask: "/api/books?page=2",
    name: "/api/books?page=2 again",
    headers: { "if-none-match": '"another"' },
    status: 200,
  },
  {
    ask: "OPTIONS /api/books",
    headers: { origin: "https://shop.example", "access-control-request-method": "POST" },
    status: 204,
    gives: { "access-control-allow-methods": "GET,POST", "access-control-max-age": "600" },
    text: "",
  },
  {
    ask: "POST /api/books",
    json: { title: "Roadside" },
    status: 201,
    gives: { location: "/api/books/4" },
    is: { id: 4, title: "Roadside" },
  },
  { ask: "POST /api/books", name: "POST /api/books without a title", json: {}, status: 422 },
  {
    ask: "POST /api/books",
    name: "POST /api/books that is no JSON",
    headers: { "content-type": "application/json" },
    body: "{",
    status: 400,
  },
  { ask: "/old/shelf?x=1", status: 301, gives: { location: "/" } },
  {
    ask: "/count",
    status: 200,
    gives: { "content-type": "text/event-stream" },
    text: "event: book\ndata: Solaris\nid: 1\n\nevent: book\ndata: Kindred\nid: 2\n\nevent: book\ndata: Picnic\nid: 3\n\n",
  },
  { ask: "/fail", status: 500, is: { error: "the shelf is broken" } },
  { ask: "DELETE /nothing", status: 404, text: "Nothing at /nothing" },
  { ask: "/%E2%82%AC/a%2Fb?q=%20+", status: 404, text: /^Nothing at / },
];
