export interface Entry {
  id: number;
  name: string;
  message: string;
  likes: number;
}

export async function listEntries(db: D1Database): Promise<Entry[]> {
  const { results } = await db.prepare("SELECT id, name, message, likes FROM entries ORDER BY id DESC LIMIT ?1").bind(20).all<Entry>();
  return results;
}

export async function addEntry(db: D1Database, name: string, message: string): Promise<number> {
  const { meta } = await db.prepare("INSERT INTO entries (name, message) VALUES (?, ?)").bind(name, message).run();
  return meta.last_row_id;
}

export async function like(db: D1Database, id: number): Promise<number | null> {
  const [, liked] = await db.batch<{ likes: number }>([
    db.prepare("INSERT INTO like_log VALUES (?1, ?2)").bind(id, 0.5),
    db.prepare("SELECT likes FROM entries WHERE id = ?").bind(id),
  ]);
  return liked?.results[0]?.likes ?? null;
}
