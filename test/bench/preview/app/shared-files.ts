import type { AppFile } from "./app-file.ts";

/** Modules that all features use. */
export const SHARED_FILES: readonly AppFile[] = [
  {
    path: "src/shared/errors.ts",
    text: `/** An error with the status that a client gets. */
export class HttpError extends Error {
  readonly status: number;
  readonly details: readonly string[];

  constructor(status: number, message: string, details: readonly string[] = []) {
    super(message);
    this.name = new.target.name;
    this.status = status;
    this.details = details;
  }
}

export class NotFoundError extends HttpError {
  constructor(what: string, id: string) {
    super(404, \`there is no \${what} \${id}\`);
  }
}

export class ConflictError extends HttpError {
  constructor(message: string) {
    super(409, message);
  }
}

export class ValidationError extends HttpError {
  constructor(problems: readonly string[]) {
    super(400, "what was sent is not valid", problems);
  }
}
`,
  },
  {
    path: "src/shared/page.ts",
    text: `/** A part of a longer list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next?: number;
}

const MOST_ITEMS = 100;

export function pageOf<Item>(all: readonly Item[], offset: number, limit: number): Page<Item> {
  const end = offset + Math.min(limit, MOST_ITEMS);
  return { items: all.slice(offset, end), total: all.length, ...(end < all.length ? { next: end } : {}) };
}
`,
  },
  {
    path: "src/shared/text.ts",
    text: `import { ValidationError } from "./errors";

/** Cents as people read them. */
export function formatMoney(cents: number): string {
  const whole = Math.trunc(cents / 100).toString();
  const grouped = whole.replaceAll(/\\B(?=(\\d{3})+(?!\\d))/g, ",");
  return \`\${grouped}.\${String(cents % 100).padStart(2, "0")}\`;
}

export function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\\d{1,6}$/.test(text)) throw new ValidationError([\`\${name} must be a whole number\`]);
  return Number(text);
}
`,
  },
  {
    path: "src/shared/router.ts",
    text: `import { HttpError, NotFoundError } from "./errors";

export interface Call {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** With \`:name\` for a part that may be anything. */
  readonly path: string;
  handle(call: Call): Response | Promise<Response>;
}

export function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

export function createRouter(routes: readonly Route[]): (request: Request) => Promise<Response> {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    try {
      for (const { route, pattern } of compiled) {
        const match = route.method === request.method ? pattern.exec(pathname) : null;
        if (match) return await route.handle({ request, params: { ...match.groups }, query: searchParams });
      }
      throw new NotFoundError("page", pathname);
    } catch (error) {
      if (error instanceof HttpError) return json({ error: error.message, details: error.details }, error.status);
      throw error;
    }
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(\`^\${path.replaceAll(/:(\\w+)/g, "(?<$1>[^/]+)")}$\`);
}
`,
  },
];
