import type { Json } from "@tenrec/protocol";

/** An answer of Workers AI as its REST API sends it: what is JSON stands under `result`. */
export async function resultResponse(response: Response): Promise<Response> {
  if (!response.ok || response.headers.get("content-type") !== "application/json") return response;
  const text = await response.text();
  try {
    const result = JSON.parse(text) as Json;
    return Response.json({ result, success: true, errors: [], messages: [] });
  } catch {
    return new Response(text, response);
  }
}
