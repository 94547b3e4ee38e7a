import { lookup } from "node:dns/promises";

/**
 * Answers the Worker, which cannot look up names itself: the addresses of the name in `?name=`, as JSON, none for a name
 * that there is not. They are those that workerd connects to: both ask the system.
 */
export async function resolveNames(request: { readonly url: string }): Promise<Response> {
  const name = new URL(request.url).searchParams.get("name") ?? "";
  const found = await lookup(name, { all: true }).catch(() => []);
  return Response.json(found.map(({ address }) => address));
}
