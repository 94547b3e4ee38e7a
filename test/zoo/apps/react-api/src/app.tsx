import { useEffect, useState } from "react";
import type { Card } from "../worker/card";
import { CardView } from "./card-view";

export function App() {
  const [cards, setCards] = useState<Card[]>([]);
  useEffect(() => {
    void fetch("/api/cards")
      .then((response) => response.json<Card[]>())
      .then(setCards);
  }, []);
  return (
    <main>
      <h1>Kanban</h1>
      {cards.map((card) => (
        <CardView key={card.id} {...card} />
      ))}
    </main>
  );
}
