import { env } from "cloudflare:workers";
import type { Bucket } from "./bucket.ts";

export async function openBucket(): Promise<{ bucket: Bucket; keys: () => Promise<string[]> }> {
  const keys = async (): Promise<string[]> => (await env.TEST_BUCKET.list()).objects.map(({ key }) => key).sort();
  await env.TEST_BUCKET.delete(await keys());
  return { bucket: env.TEST_BUCKET, keys };
}
