import type { AppFile } from "./app-file.ts";
import { configFiles, type ShownApp } from "./modular-app.ts";

/** What the app imports of npm. */
export const PACKAGES: readonly string[] = ["hono", "react", "react-dom"];

const INDEX = `import { Hono } from "hono";
import { logger } from "./logger";
import { tasks } from "./tasks";
import { page } from "./page";

const app = new Hono();

app.use("*", logger());
app.get("/", (context) => context.html(page(tasks.all())));
app.get("/api/tasks", (context) => context.json(tasks.all()));
app.post("/api/tasks", async (context) => {
  const { title } = await context.req.json<{ title?: unknown }>();
  if (typeof title !== "string" || title === "") return context.json({ error: "title must be a text" }, 400);
  return context.json(tasks.add(title), 201);
});

export default app;
`;

const LOGGER = `import type { MiddlewareHandler } from "hono";

/** Says how each request ended. */
export function logger(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    context.header("x-handled", \`\${context.req.method} \${context.res.status}\`);
  };
}
`;

const TASKS = `export interface Task {
  readonly id: number;
  readonly title: string;
  readonly done: boolean;
}

const known: Task[] = [
  { id: 1, title: "Write it down", done: true },
  { id: 2, title: "Do it", done: false },
];

export const tasks = {
  all: (): readonly Task[] => known,
  add(title: string): Task {
    const task: Task = { id: known.length + 1, title, done: false };
    known.push(task);
    return task;
  },
};
`;

const PAGE = `import { renderToString } from "react-dom/server";
import { TaskList } from "./task-list";
import type { Task } from "./tasks";

export const page = (tasks: readonly Task[]): string =>
  "<!doctype html>" +
  renderToString(
    <html lang="en">
      <head>
        <title>Tasks</title>
      </head>
      <body>
        <TaskList tasks={tasks} />
      </body>
    </html>,
  );
`;

const LIST = `import { useId, useMemo } from "react";
import type { Task } from "./tasks";

export function TaskList({ tasks }: { readonly tasks: readonly Task[] }) {
  const id = useId();
  const open = useMemo(() => tasks.filter(({ done }) => !done).length, [tasks]);
  return (
    <section aria-labelledby={id}>
      <h1 id={id}>{open} open</h1>
      <ul>
        {tasks.map(({ id: key, title, done }) => (
          <li key={key}>{done ? <s>{title}</s> : title}</li>
        ))}
      </ul>
    </section>
  );
}
`;

/** A small app with Hono and React, whose packages come from this registry. */
export function packageApp(registry: string): ShownApp {
  const sources: AppFile[] = [
    { path: "src/index.ts", text: INDEX },
    { path: "src/logger.ts", text: LOGGER },
    { path: "src/tasks.ts", text: TASKS },
    { path: "src/page.tsx", text: PAGE },
    { path: "src/task-list.tsx", text: LIST },
    { path: ".npmrc", text: `registry=${registry}\n` },
  ];
  return {
    files: [...configFiles("packages", { hono: "^4.0.0", react: "^19.0.0", "react-dom": "^19.0.0" }), ...sources],
    path: "/",
    mark: () => "<li><s>Write it down</s></li><li>Do it</li>",
  };
}
