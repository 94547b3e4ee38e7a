/** An object of R2 as the host describes it. */
export interface StoredObject {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly uploaded: number;
  readonly httpMetadata: Readonly<Record<string, string | number>>;
  readonly customMetadata: Readonly<Record<string, string>>;
  readonly checksums: Readonly<Record<string, string>>;
  readonly range?: { readonly offset: number; readonly length: number };
}

const HEADERS: Readonly<Record<string, string>> = {
  contentType: "content-type",
  contentLanguage: "content-language",
  contentDisposition: "content-disposition",
  contentEncoding: "content-encoding",
  cacheControl: "cache-control",
};

/** Stands in for `R2Object`. */
export class ObjectStandIn {
  readonly key: string;
  readonly version: string;
  readonly size: number;
  readonly etag: string;
  readonly httpEtag: string;
  readonly uploaded: Date;
  readonly checksums: object;
  readonly httpMetadata: Readonly<Record<string, unknown>>;
  readonly customMetadata: Readonly<Record<string, string>>;
  readonly range: object | undefined;
  readonly storageClass: string = "Standard";

  /** What was read has a range, be it all; what was written has none. */
  constructor(stored: StoredObject, wasRead: boolean) {
    this.key = stored.key;
    this.version = stored.version;
    this.size = stored.size;
    this.etag = stored.etag;
    this.httpEtag = `"${stored.etag}"`;
    this.uploaded = new Date(stored.uploaded);
    this.checksums = checksums(stored.checksums);
    const { cacheExpiry, ...fields } = stored.httpMetadata;
    this.httpMetadata = { ...fields, ...(cacheExpiry === undefined ? {} : { cacheExpiry: new Date(cacheExpiry) }) };
    this.customMetadata = stored.customMetadata;
    this.range = stored.range ?? (wasRead ? { offset: 0, length: stored.size } : undefined);
  }

  writeHttpMetadata(headers: Headers): void {
    for (const [field, header] of Object.entries(HEADERS)) {
      const value = this.httpMetadata[field];
      if (typeof value === "string") headers.set(header, value);
    }
    const expiry = this.httpMetadata["cacheExpiry"];
    if (expiry instanceof Date) headers.set("expires", expiry.toUTCString());
  }
}

/** Stands in for `R2ObjectBody`. */
export class ObjectBodyStandIn extends ObjectStandIn {
  readonly #response: Response;

  constructor(stored: StoredObject, bytes: ArrayBuffer) {
    super(stored, true);
    this.#response = new Response(bytes);
  }

  get body(): ReadableStream | null {
    return this.#response.body;
  }

  get bodyUsed(): boolean {
    return this.#response.bodyUsed;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response.arrayBuffer();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#response.arrayBuffer());
  }

  text(): Promise<string> {
    return this.#response.text();
  }

  json(): Promise<unknown> {
    return this.#response.json();
  }

  async blob(): Promise<Blob> {
    const type = this.httpMetadata["contentType"];
    return new Blob([await this.#response.arrayBuffer()], typeof type === "string" ? { type } : {});
  }
}

/** `httpMetadata` from what people pass: the fields, or the headers of a request. */
export function httpFields(value: unknown): Record<string, string | number> {
  if (value instanceof Headers) {
    const found = Object.entries(HEADERS).map(([field, header]) => [field, value.get(header)] as const);
    return Object.fromEntries(found.filter((entry): entry is readonly [string, string] => entry[1] !== null));
  }
  const fields = Object.entries((value ?? {}) as Record<string, unknown>);
  const known = fields.map(([name, each]) => [name, each instanceof Date ? each.getTime() : each] as const);
  return Object.fromEntries(known.filter(([, each]) => typeof each === "string" || typeof each === "number")) as Record<
    string,
    string | number
  >;
}

function checksums(hex: Readonly<Record<string, string>>): object {
  const bytes = Object.entries(hex).map(([name, text]) => {
    const values = Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    return [name, values.buffer] as const;
  });
  return Object.defineProperty(Object.fromEntries(bytes), "toJSON", { value: () => hex });
}
