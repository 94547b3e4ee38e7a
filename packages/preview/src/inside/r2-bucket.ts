import type { GatewayBinding } from "./gateway-binding.ts";
import { httpFields, ObjectBodyStandIn, ObjectStandIn, type StoredObject } from "./r2-object.ts";
import { UploadStandIn } from "./r2-upload.ts";
import { bytesForR2, MOST_BYTES } from "./r2-value.ts";

type Options = Readonly<Record<string, unknown>>;
interface ListAnswer {
  readonly objects: readonly StoredObject[];
  readonly prefixes: readonly string[];
  readonly cursor?: string;
}

/** Stands in for `R2Bucket`. */
export class R2StandIn {
  readonly #gateway: GatewayBinding;
  readonly #binding: string;

  constructor(gateway: GatewayBinding, binding: string) {
    this.#gateway = gateway;
    this.#binding = binding;
  }

  async head(key: string): Promise<ObjectStandIn | null> {
    const stored = (await this.#call("head", [key])) as StoredObject | null;
    return stored && new ObjectStandIn(stored, true);
  }

  async get(key: string, options: Options = {}): Promise<ObjectStandIn | null> {
    const query = { range: rangeOf(options["range"]), onlyIf: conditionOf(options["onlyIf"]) };
    const found = (await this.#call("get", [key, query])) as { stored: StoredObject; bytes: ArrayBuffer | null } | null;
    if (!found) return null;
    return found.bytes === null
      ? new ObjectStandIn(found.stored, true)
      : new ObjectBodyStandIn(found.stored, found.bytes);
  }

  async put(key: string, value: unknown, options: Options = {}): Promise<ObjectStandIn | null> {
    const bytes = await bytesForR2(value, "put", "R2Bucket");
    if (bytes.byteLength > MOST_BYTES) {
      throw new Error(
        `put: ${key} has ${bytes.byteLength} bytes; a preview stores at most ${MOST_BYTES} in one object. (10043)`,
      );
    }
    const fields = {
      httpMetadata: httpFields(options["httpMetadata"]),
      customMetadata: (options["customMetadata"] ?? {}) as Record<string, string>,
      onlyIf: conditionOf(options["onlyIf"]),
      ...digestOf(options),
    };
    const stored = (await this.#call("put", [key, bytes, fields])) as StoredObject | null;
    return stored && new ObjectStandIn(stored, false);
  }

  async delete(keys: string | readonly string[]): Promise<void> {
    await this.#call("delete", [[keys].flat()]);
  }

  async list(options: Options = {}): Promise<object> {
    const { prefix, delimiter, cursor, limit, startAfter } = options;
    const query = {
      prefix: prefix ?? "",
      delimiter: delimiter ?? "",
      cursor: cursor ?? "",
      limit: limit ?? 1000,
      startAfter: startAfter ?? "",
    };
    const answer = (await this.#call("list", [query])) as ListAnswer;
    return {
      objects: answer.objects.map((stored) => new ObjectStandIn(stored, true)),
      truncated: answer.cursor !== undefined,
      ...(answer.cursor === undefined ? {} : { cursor: answer.cursor }),
      delimitedPrefixes: [...answer.prefixes],
    };
  }

  async createMultipartUpload(key: string, options: Options = {}): Promise<UploadStandIn> {
    const httpMetadata = httpFields(options["httpMetadata"]);
    const fields = { httpMetadata, customMetadata: (options["customMetadata"] ?? {}) as Record<string, string> };
    return this.resumeMultipartUpload(key, (await this.#call("createUpload", [key, fields])) as string);
  }

  resumeMultipartUpload(key: string, uploadId: string): UploadStandIn {
    return new UploadStandIn((method, args) => this.#call(method, args), key, uploadId);
  }

  #call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.#gateway.storage("r2", this.#binding, method, args);
  }
}

function rangeOf(range: unknown): object | undefined {
  if (range === undefined) return undefined;
  if (!(range instanceof Headers)) return range as object;
  const match = /^bytes=(\d*)-(\d*)$/.exec(range.get("range") ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") return { suffix: Number(match[2]) };
  const offset = Number(match[1]);
  return match[2] === "" ? { offset } : { offset, length: Number(match[2]) - offset + 1 };
}

function conditionOf(condition: unknown): object | undefined {
  if (condition === undefined || condition === null) return undefined;
  const tags = (value: unknown): string[] =>
    [value]
      .flat()
      .flatMap((each) =>
        typeof each === "string"
          ? each.split(",").map((tag) => tag.trim().replace(/^W\//, "").replaceAll('"', ""))
          : [],
      );
  if (condition instanceof Headers) {
    const date = (name: string): number | undefined => {
      const text = condition.get(name);
      return text === null ? undefined : Date.parse(text);
    };
    return {
      etagMatches: tags(condition.get("if-match") ?? undefined),
      etagDoesNotMatch: tags(condition.get("if-none-match") ?? undefined),
      uploadedBefore: date("if-unmodified-since"),
      uploadedAfter: date("if-modified-since"),
    };
  }
  const { etagMatches, etagDoesNotMatch, uploadedBefore, uploadedAfter } = condition as Options;
  return {
    etagMatches: tags(etagMatches),
    etagDoesNotMatch: tags(etagDoesNotMatch),
    uploadedBefore: uploadedBefore instanceof Date ? uploadedBefore.getTime() : undefined,
    uploadedAfter: uploadedAfter instanceof Date ? uploadedAfter.getTime() : undefined,
  };
}

const DIGESTS = ["md5", "sha1", "sha256", "sha384", "sha512"] as const;

/** The digest that the content must have, as hex. */
function digestOf(options: Options): { digest?: { name: string; hex: string } } {
  for (const name of DIGESTS) {
    const value = options[name];
    if (typeof value === "string") return { digest: { name, hex: value.toLowerCase() } };
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      const bytes =
        value instanceof ArrayBuffer
          ? new Uint8Array(value)
          : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      return { digest: { name, hex: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") } };
    }
  }
  return {};
}
