import type { AppFile } from "./app-file.ts";

/** Modules of one feature. */
export const FEATURE_MODULES = 5;

/** A feature of the app as people split it: its model, what is stored, what is checked, what it does, and its routes. */
export function featureFiles(index: number): AppFile[] {
  const name = `feature-${index}`;
  const folder = `src/features/${name}`;
  return [
    { path: `${folder}/model.ts`, text: model(index) },
    { path: `${folder}/repository.ts`, text: repository(index) },
    { path: `${folder}/validation.ts`, text: validation(index) },
    { path: `${folder}/service.ts`, text: service(index) },
    { path: `${folder}/routes.ts`, text: routes(index) },
  ];
}

function model(index: number): string {
  return `import type { Page } from "../../shared/page";

/** How far an order of feature ${index} has come. */
export type OrderState = "open" | "paid" | "sent" | "cancelled";

export interface OrderLine {
  readonly article: string;
  readonly quantity: number;
  /** In cents. */
  readonly price: number;
}

export interface Order {
  readonly id: string;
  readonly customer: string;
  readonly state: OrderState;
  readonly lines: readonly OrderLine[];
  readonly createdAt: number;
}

export interface OrderFilter {
  readonly state?: OrderState;
  readonly customer?: string;
  readonly minimum?: number;
}

export type OrderPage = Page<Order>;

const TRANSITIONS: Readonly<Record<OrderState, readonly OrderState[]>> = {
  open: ["paid", "cancelled"],
  paid: ["sent", "cancelled"],
  sent: [],
  cancelled: [],
};

/** Whether an order may go from one state to the other. */
export function mayBecome(from: OrderState, to: OrderState): boolean {
  return TRANSITIONS[from].includes(to);
}

export function isOrderState(value: unknown): value is OrderState {
  return typeof value === "string" && Object.hasOwn(TRANSITIONS, value);
}

/** The sum of all lines, in cents. */
export function totalOf(order: Pick<Order, "lines">): number {
  return order.lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
}

export function matches(order: Order, filter: OrderFilter): boolean {
  if (filter.state !== undefined && order.state !== filter.state) return false;
  if (filter.customer !== undefined && order.customer !== filter.customer) return false;
  return filter.minimum === undefined || totalOf(order) >= filter.minimum;
}

export const FEATURE = { index: ${index}, title: "Feature ${index}", seed: ${(index * 37) % 101} } as const;
`;
}

function repository(index: number): string {
  return `import { type Page, pageOf } from "../../shared/page";
import { NotFoundError } from "../../shared/errors";
import { FEATURE, matches, type Order, type OrderFilter, type OrderState } from "./model";

/** Keeps the orders of feature ${index} in memory; those it begins with are made when somebody asks. */
export class OrderRepository${index} {
  readonly #known = new Map<string, Order>();
  #samples: number;
  #next = 1;

  constructor(samples: number) {
    this.#samples = samples;
  }

  get size(): number {
    return this.#orders.size;
  }

  get #orders(): Map<string, Order> {
    const samples = this.#samples;
    this.#samples = 0;
    for (let at = 0; at < samples; at += 1) this.add(sampleOrder(at));
    return this.#known;
  }

  add(order: Omit<Order, "id">): Order {
    const stored: Order = { ...order, id: \`\${FEATURE.index}-\${this.#next}\` };
    this.#next += 1;
    this.#known.set(stored.id, stored);
    return stored;
  }

  get(id: string): Order {
    const found = this.#orders.get(id);
    if (!found) throw new NotFoundError("order", id);
    return found;
  }

  find(filter: OrderFilter, offset: number, limit: number): Page<Order> {
    const all = [...this.#orders.values()].filter((order) => matches(order, filter));
    return pageOf(all, offset, limit);
  }

  change(id: string, state: OrderState): Order {
    const changed: Order = { ...this.get(id), state };
    this.#orders.set(id, changed);
    return changed;
  }

  remove(id: string): void {
    if (!this.#orders.delete(id)) throw new NotFoundError("order", id);
  }
}

function sampleOrder(at: number): Omit<Order, "id"> {
  const states: readonly OrderState[] = ["open", "paid", "sent", "cancelled"];
  return {
    customer: \`customer-\${(at * 7 + FEATURE.seed) % 5}\`,
    state: states[(at + FEATURE.seed) % states.length] ?? "open",
    createdAt: 1_700_000_000_000 + at * 60_000,
    lines: Array.from({ length: (at % 3) + 1 }, (_, line) => ({
      article: \`article-\${(at + line) % 11}\`,
      quantity: line + 1,
      price: 100 + ((FEATURE.seed + at * 13 + line) % 900),
    })),
  };
}
`;
}

function validation(index: number): string {
  return `import { ValidationError } from "../../shared/errors";
import { isOrderState, type Order, type OrderFilter, type OrderLine } from "./model";

type Fields = Readonly<Record<string, unknown>>;

const MOST_LINES = ${20 + (index % 10)};

/** An order of feature ${index} from what a client sent. Throws \`ValidationError\` with all that is wrong. */
export function parseOrder(body: unknown, now: number): Omit<Order, "id"> {
  const problems: string[] = [];
  const fields: Fields = typeof body === "object" && body !== null ? (body as Fields) : {};
  const { customer, lines } = fields;
  if (typeof customer !== "string" || customer.trim() === "") problems.push("customer must be a text");
  const parsed = Array.isArray(lines) ? lines.map((line, at) => parseLine(line, at, problems)) : [];
  if (parsed.length === 0) problems.push("lines must not be empty");
  if (parsed.length > MOST_LINES) problems.push(\`an order has at most \${MOST_LINES} lines\`);
  if (problems.length > 0) throw new ValidationError(problems);
  return { customer: String(customer), state: "open", createdAt: now, lines: parsed };
}

function parseLine(value: unknown, at: number, problems: string[]): OrderLine {
  const fields: Fields = typeof value === "object" && value !== null ? (value as Fields) : {};
  const { article, quantity, price } = fields;
  if (typeof article !== "string") problems.push(\`lines[\${at}].article must be a text\`);
  if (!isAmount(quantity)) problems.push(\`lines[\${at}].quantity must be a whole number above 0\`);
  if (!isAmount(price)) problems.push(\`lines[\${at}].price must be a whole number above 0\`);
  return { article: String(article), quantity: Number(quantity), price: Number(price) };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

export function parseFilter(query: URLSearchParams): OrderFilter {
  const state = query.get("state");
  const customer = query.get("customer");
  const minimum = query.get("minimum");
  if (state !== null && !isOrderState(state)) throw new ValidationError([\`there is no state \${state}\`]);
  return {
    ...(state === null ? {} : { state }),
    ...(customer === null ? {} : { customer }),
    ...(minimum === null ? {} : { minimum: Number(minimum) }),
  };
}
`;
}

function service(index: number): string {
  const before = index > 0 ? `import { serviceName as before } from "../feature-${index - 1}/service";\n` : "";
  return `import { ConflictError } from "../../shared/errors";
import type { Page } from "../../shared/page";
import { formatMoney } from "../../shared/text";
${before}import { FEATURE, mayBecome, type Order, type OrderFilter, type OrderState, totalOf } from "./model";
import { OrderRepository${index} } from "./repository";

/** What an edit changes. */
export const REVISION = "round 0";

export const serviceName = "orders-${index}";

export interface Summary {
  readonly name: string;
  readonly after: string;
  readonly revision: string;
  readonly count: number;
  readonly total: string;
  readonly byState: Readonly<Record<string, number>>;
}

/** The rules of feature ${index}. */
export class OrderService${index} {
  readonly #orders: OrderRepository${index};

  constructor(orders: OrderRepository${index} = new OrderRepository${index}(${5 + (index % 7)})) {
    this.#orders = orders;
  }

  list(filter: OrderFilter, offset: number, limit: number): Page<Order> {
    return this.#orders.find(filter, offset, limit);
  }

  get(id: string): Order {
    return this.#orders.get(id);
  }

  create(order: Omit<Order, "id">): Order {
    return this.#orders.add(order);
  }

  change(id: string, to: OrderState): Order {
    const { state } = this.#orders.get(id);
    if (!mayBecome(state, to)) throw new ConflictError(\`an order that is \${state} cannot become \${to}\`);
    return this.#orders.change(id, to);
  }

  summary(): Summary {
    const { items } = this.#orders.find({}, 0, this.#orders.size);
    const byState: Record<string, number> = {};
    for (const { state } of items) byState[state] = (byState[state] ?? 0) + 1;
    const total = items.reduce((sum, order) => sum + totalOf(order), 0);
    return {
      name: FEATURE.title,
      after: ${index > 0 ? "before" : `"nothing"`},
      revision: REVISION,
      count: items.length,
      total: formatMoney(total),
      byState,
    };
  }
}
`;
}

function routes(index: number): string {
  return `import type { Route } from "../../shared/router";
import { json } from "../../shared/router";
import { numberIn } from "../../shared/text";
import { isOrderState } from "./model";
import { OrderService${index} } from "./service";
import { parseFilter, parseOrder } from "./validation";

const service = new OrderService${index}();
const BASE = "/feature-${index}";

/** What feature ${index} answers. */
export const routes: readonly Route[] = [
  {
    method: "GET",
    path: \`\${BASE}/summary\`,
    handle: () => json(service.summary()),
  },
  {
    method: "GET",
    path: \`\${BASE}/orders\`,
    handle({ query }) {
      const page = service.list(parseFilter(query), numberIn(query, "offset", 0), numberIn(query, "limit", 10));
      return json({ ...page, items: page.items.map(({ id, customer, state }) => ({ id, customer, state })) });
    },
  },
  {
    method: "GET",
    path: \`\${BASE}/orders/:id\`,
    handle: ({ params }) => json(service.get(params["id"] ?? "")),
  },
  {
    method: "POST",
    path: \`\${BASE}/orders\`,
    async handle({ request }) {
      const body: unknown = await request.json();
      return json(service.create(parseOrder(body, Date.now())), 201);
    },
  },
  {
    method: "PUT",
    path: \`\${BASE}/orders/:id/state\`,
    async handle({ params, request }) {
      const state = await request.text();
      if (!isOrderState(state)) return json({ error: \`there is no state \${state}\` }, 400);
      return json(service.change(params["id"] ?? "", state));
    },
  },
];

export const summary = (): ReturnType<OrderService${index}["summary"]> => service.summary();
`;
}
