import type { Json } from "@tenrec/protocol";
import { z } from "zod";
import type { HtmlHandling, NotFoundHandling } from "./project-config.ts";

const name = z.string().min(1);
const identifier = z.string().regex(/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u, "the name of a class");
const handling = {
  html_handling: z.enum(["auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"]).optional(),
  not_found_handling: z.enum(["none", "404-page", "single-page-application"]).optional(),
};

const schema: z.ZodType<WranglerFile> = z.looseObject({
  name: name.optional(),
  main: name.optional(),
  compatibility_date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, "a date such as 2026-01-31")
    .optional(),
  compatibility_flags: z.array(name).optional(),
  vars: z.record(z.string(), z.json()).optional(),
  alias: z.record(z.string(), name).optional(),
  assets: z
    .looseObject({
      directory: name.optional(),
      binding: name.optional(),
      run_worker_first: z.union([z.boolean(), z.array(name)]).optional(),
      ...handling,
    })
    .optional(),
  durable_objects: z
    .looseObject({
      bindings: z.array(z.looseObject({ name, class_name: identifier, script_name: name.optional() })).optional(),
    })
    .optional(),
  kv_namespaces: z.array(z.looseObject({ binding: name })).optional(),
  d1_databases: z.array(z.looseObject({ binding: name, migrations_dir: name.optional() })).optional(),
  r2_buckets: z.array(z.looseObject({ binding: name })).optional(),
  services: z.array(z.looseObject({ binding: name, service: name, entrypoint: name.optional() })).optional(),
  triggers: z.looseObject({ crons: z.array(name).optional() }).optional(),
});

/** A wrangler configuration whose known fields have the shapes they must have. */
export interface WranglerFile {
  readonly [field: string]: unknown;
  readonly name?: string | undefined;
  readonly main?: string | undefined;
  readonly compatibility_date?: string | undefined;
  readonly compatibility_flags?: readonly string[] | undefined;
  readonly vars?: Readonly<Record<string, Json>> | undefined;
  readonly alias?: Readonly<Record<string, string>> | undefined;
  readonly assets?: WranglerAssets | undefined;
  readonly durable_objects?: { readonly bindings?: readonly ObjectBinding[] | undefined } | undefined;
  readonly kv_namespaces?: readonly { readonly binding: string }[] | undefined;
  readonly d1_databases?:
    | readonly { readonly binding: string; readonly migrations_dir?: string | undefined }[]
    | undefined;
  readonly r2_buckets?: readonly { readonly binding: string }[] | undefined;
  readonly services?:
    | readonly { readonly binding: string; readonly service: string; readonly entrypoint?: string | undefined }[]
    | undefined;
  readonly triggers?: { readonly crons?: readonly string[] | undefined } | undefined;
}

export interface WranglerAssets {
  readonly directory?: string | undefined;
  readonly binding?: string | undefined;
  readonly run_worker_first?: boolean | readonly string[] | undefined;
  readonly html_handling?: HtmlHandling | undefined;
  readonly not_found_handling?: NotFoundHandling | undefined;
}

export interface ObjectBinding {
  readonly name: string;
  readonly class_name: string;
  readonly script_name?: string | undefined;
}

/** What is wrong with a field, named as people write it, such as `assets.html_handling`. */
export interface FieldProblem {
  readonly field: readonly (string | number)[];
  readonly message: string;
}

export function checkWranglerFile(value: unknown): { file: WranglerFile } | { problems: readonly FieldProblem[] } {
  const result = schema.safeParse(value);
  if (result.success) return { file: result.data };
  const problems = result.error.issues.map(({ path, message }) => {
    const field = path.map((part) => (typeof part === "number" ? part : String(part)));
    return { field, message: `${field.join(".") || "the configuration"}: ${message}` };
  });
  return { problems };
}
