import { AutoRouter, cors, error, json, StatusError, withContent, withParams } from "itty-router";
import { TodoStore } from "./todo-store";

const { preflight, corsify } = cors({ origin: "*", maxAge: 86400 });

/** Lets in who knows the key; the others may read. */
const withKey = (request) => {
  if (request.headers.get("x-api-key") !== "letmein") return error(401, "Bring a key.");
};

const router = AutoRouter({
  base: "/v2",
  before: [preflight, withParams],
  finally: [corsify],
  catch: (problem) => error(problem.status ?? 500, { error: problem.message, retry: problem.retry ?? false }),
  missing: () => error(404, "Not here."),
});

router
  .get("/", (request, env) => ({ name: "todo-api", version: env.API_VERSION }))
  .get("/todos", async (request, env) => new TodoStore(env.TODOS).list(request.query))
  .post("/todos", withKey, withContent, async ({ content }, env) => {
    if (!content?.text) throw new StatusError(422, { message: "text is missing", retry: true });
    return json(await new TodoStore(env.TODOS).add(content.text), { status: 201 });
  })
  .get("/todos/:id", async ({ id }, env) => (await new TodoStore(env.TODOS).get(id)) ?? error(404, `No todo ${id}.`))
  .put("/todos/:id/done", withKey, async ({ id }, env) => new TodoStore(env.TODOS).finish(id))
  .delete("/todos/:id", withKey, async ({ id }, env) => {
    await new TodoStore(env.TODOS).remove(id);
    return new Response(null, { status: 204 });
  })
  .get("/files/:path+", ({ path }) => ({ path }))
  .get("/boom", () => {
    throw new TypeError("boom");
  });

export default router;
