/** The models of a server, in OpenAI's form or in Anthropic's. */
export function listModels(ids: readonly string[], anthropic: boolean): Response {
  if (anthropic) {
    const data = ids.map((id) => ({ type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" }));
    return Response.json({ data, has_more: false, first_id: ids.at(0) ?? null, last_id: ids.at(-1) ?? null });
  }
  return Response.json({
    object: "list",
    data: ids.map((id) => ({ id, object: "model", created: 0, owned_by: "testkit" })),
  });
}
