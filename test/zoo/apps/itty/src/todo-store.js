export class TodoStore {
  #kv;

  constructor(kv) {
    this.#kv = kv;
  }

  async add(text) {
    const last = await this.#kv.get("last", { type: "json" });
    const todo = { id: String((last ?? 0) + 1).padStart(4, "0"), text, done: false };
    await this.#kv.put(`todo:${todo.id}`, JSON.stringify(todo), { metadata: { done: false } });
    await this.#kv.put("last", String(Number(todo.id)));
    return todo;
  }

  get(id) {
    return this.#kv.get(`todo:${id}`, "json");
  }

  async finish(id) {
    const todo = { ...(await this.get(id)), done: true };
    await this.#kv.put(`todo:${id}`, JSON.stringify(todo), { metadata: { done: true } });
    return todo;
  }

  async remove(id) {
    await this.#kv.delete(`todo:${id}`);
  }

  async list({ limit, cursor }) {
    const page = await this.#kv.list({ prefix: "todo:", limit: limit ? Number(limit) : undefined, cursor });
    const todos = await Promise.all(page.keys.map(({ name }) => this.#kv.get(name, "json")));
    return { todos, done: page.keys.filter(({ metadata }) => metadata.done).length, complete: page.list_complete };
  }
}
