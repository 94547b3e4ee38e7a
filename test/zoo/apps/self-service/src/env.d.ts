interface Env {
  CURRENCY: "EUR" | "USD";
  RATES: Record<string, number>;
  SELF: Fetcher;
  CATALOG: Service<import("./catalog").Catalog>;
  ADMIN: Fetcher;
  STOCK: KVNamespace;
}
