import { status } from "./status.ts";

/** The app in this Worker, beside the agent: put yours in its place. */
export function app(request: Request): Response {
  const { pathname } = new URL(request.url);
  switch (pathname) {
    case "/api/status":
      return Response.json(status(Date.now()));
    default:
      return new Response("Not found\n", { status: 404 });
  }
}
