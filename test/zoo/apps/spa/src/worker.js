export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname.startsWith("/private/")) {
      if (request.headers.get("x-key") !== "open") return new Response("Closed", { status: 403 });
      const page = await env.ASSETS.fetch(request);
      const shown = new Response(page.body, page);
      shown.headers.set("x-private", "1");
      return shown;
    }
    if (url.pathname === "/api/plans") return Response.json(["sow", "water", "reap"]);
    if (url.pathname === "/api/asset") {
      const asset = await env.ASSETS.fetch(new URL("/assets/render.js", url));
      return Response.json({ status: asset.status, type: asset.headers.get("content-type"), lines: (await asset.text()).split("\n").length });
    }
    if (url.pathname === "/api/page") return env.ASSETS.fetch("https://any.host/some/where");
    return new Response(`No ${url.pathname}`, { status: 404 });
  },
};
