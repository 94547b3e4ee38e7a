import { Hono } from "hono";
import type { Card } from "./card";

const app = new Hono<{ Bindings: { CARDS: KVNamespace } }>().basePath("/api");

app.get("/cards", async (c) => c.json((await c.env.CARDS.get<Card[]>("cards", "json")) ?? []));

app.post("/cards", async (c) => {
  const cards = (await c.env.CARDS.get<Card[]>("cards", "json")) ?? [];
  const { title } = await c.req.json<{ title: string }>();
  const card: Card = { id: cards.length + 1, title, done: false };
  await c.env.CARDS.put("cards", JSON.stringify([...cards, card]));
  return c.json(card, 201);
});

export default app;
