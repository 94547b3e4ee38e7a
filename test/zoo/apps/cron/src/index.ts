interface Env {
  LOG: KVNamespace;
}

async function note(env: Env, key: string, controller: ScheduledController): Promise<void> {
  const times = Number((await env.LOG.get(key)) ?? 0) + 1;
  const age = Math.abs(Date.now() - controller.scheduledTime);
  await env.LOG.put(key, `${times}`, { metadata: { cron: controller.cron, recent: age < 60_000 } });
}

export default {
  async scheduled(controller, env, ctx) {
    switch (controller.cron) {
      case "*/5 * * * *":
        ctx.waitUntil(note(env, "sweep", controller));
        break;
      case "0 3 * * mon":
        await note(env, "backup", controller);
        break;
      default:
        throw new Error(`nobody asked for ${controller.cron}`);
    }
  },

  async fetch(request, env) {
    const { keys } = await env.LOG.list();
    const entries = keys.map(async ({ name, metadata }) => [name, Number(await env.LOG.get(name)), metadata]);
    return Response.json(await Promise.all(entries), { headers: { "cache-control": "no-store" } });
  },
} satisfies ExportedHandler<Env>;
