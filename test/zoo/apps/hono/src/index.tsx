import { Hono } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { HTTPException } from "hono/http-exception";
import { secureHeaders } from "hono/secure-headers";
import { streamSSE } from "hono/streaming";
import { validator } from "hono/validator";
import { books } from "./books";
import { Layout } from "./layout";

interface Bindings {
  SHELF: string;
  LIMITS: { page: number };
}

const app = new Hono<{ Bindings: Bindings }>();

app.use("/api/*", cors({ origin: "https://shop.example", allowMethods: ["GET", "POST"], maxAge: 600 }));
app.use("/page/*", secureHeaders());
app.get("/api/*", etag());

app.get("/", (c) =>
  c.html(
    <Layout title={`Books: ${c.env.SHELF}`}>
      <ul>
        {books.map(({ id, title, author }) => (
          <li>
            <a href={`/page/${id}`}>{title}</a> by {author}
          </li>
        ))}
      </ul>
    </Layout>,
  ),
);

app.get("/page/:id{[0-9]+}", (c) => {
  const book = books.find(({ id }) => id === Number(c.req.param("id")));
  if (!book) throw new HTTPException(404, { message: "No such book" });
  return c.html(
    <Layout title={book.title}>
      <h1>{book.title}</h1>
    </Layout>,
  );
});

const api = new Hono<{ Bindings: Bindings }>()
  .get("/books", (c) => {
    const page = Number(c.req.query("page") ?? 1);
    const { page: size } = c.env.LIMITS;
    return c.json({ page, books: books.slice((page - 1) * size, page * size) });
  })
  .post(
    "/books",
    validator("json", (value: unknown, c) => {
      const title = (value as { title?: unknown } | null)?.title;
      return typeof title === "string" ? { title } : c.json({ error: "title is missing" }, 422);
    }),
    (c) => c.json({ id: books.length + 1, ...c.req.valid("json") }, 201, { location: "/api/books/4" }),
  );

app.route("/api", api);
app.get("/old/*", (c) => c.redirect("/", 301));
app.get("/count", (c) =>
  streamSSE(c, async (stream) => {
    for (const book of books) await stream.writeSSE({ event: "book", id: `${book.id}`, data: book.title });
  }),
);
app.get("/fail", () => {
  throw new Error("the shelf is broken");
});
app.notFound((c) => c.text(`Nothing at ${c.req.path}`, 404));
app.onError((error, c) => {
  if (error instanceof HTTPException) return error.getResponse();
  return c.json({ error: error.message }, 500);
});

export default app;
