import type { R2Bucket } from "@cloudflare/workers-types";
import type { Bucket } from "./bucket.ts";

declare const r2: R2Bucket;

/** Compiles only while a real bucket is one for us. */
export const forUs: Bucket = r2;
