import { cloudflareTest } from "@cloudflare/vitest-plugin";
import type { Plugin, TestProjectInlineConfiguration } from "vitest/config";

type Alias = { find: RegExp; replacement: string };

/** What a package adds to its Durable Object tests. */
interface WorkersOptions {
  /** The module whose exported classes can be bound; relative to the package. */
  main: string;
  /** Binding name → exported class; all of them have SQLite storage. */
  durableObjects: Record<string, string>;
  /** Names of R2 buckets to bind; default none. */
  r2Buckets?: string[];
  /** Names of Worker Loaders to bind; default none. */
  workerLoaders?: string[];
  /** Which test files run in workerd. */
  include: string[];
  alias?: Alias[];
  /** Variables of the Worker. */
  bindings?: Record<string, string>;
}

/** A test may be many statements, files or processes: on a busy machine, five seconds are not enough. In milliseconds. */
const TIMEOUT_MS = 60_000;

/** The date of the pinned workerd, so the newest it knows all flags of. */
const compatibilityDate = "2026-11-02";

// Test code is bundled by Vite's `ssr` environment, which inherits nothing from `resolve`: not these conditions, and
// not those that the Cloudflare plugin sets. `tenrec-source` makes packages resolve to
// their sources, so no test needs a build; a plain `source` would be taken by packages in node_modules too.
function withConditions(...conditions: string[]): Pick<TestProjectInlineConfiguration, "resolve" | "ssr"> {
  const resolve = { conditions: ["tenrec-source", ...conditions] };
  return { resolve, ssr: { resolve } };
}

/** All tests of a package that are not for workerd alone. */
export function nodeProject(): TestProjectInlineConfiguration {
  return {
    ...withConditions("node", "module"),
    test: {
      name: "node",
      environment: "node",
      testTimeout: TIMEOUT_MS,
      include: ["src/**/*.test.ts"],
      exclude: ["src/**/*.workers.test.ts"],
    },
  };
}

/**
 * Takes the source maps out of packages. All modules that a test file needs go to workerd in one message of at most 32 MiB, and
 * most of that would be maps of what nobody looks at.
 */
const withoutMapsOfPackages: Plugin = {
  name: "without-maps-of-packages",
  enforce: "pre",
  transform: (code, id) =>
    id.includes("/node_modules/")
      ? { code: code.replace(/^\/\/# sourceMappingURL=.*$/gm, ""), map: { mappings: "" } }
      : undefined,
};

/** Tests inside workerd, with real Durable Objects to run them in. */
export function workersProject(options: WorkersOptions): TestProjectInlineConfiguration {
  const durableObjects = Object.fromEntries(
    Object.entries(options.durableObjects).map(([binding, className]) => [binding, { className, useSQLite: true }]),
  );
  // The conditions that wrangler bundles with, so that a test meets the same modules as a deployed Worker.
  const { resolve, ssr } = withConditions("workerd", "worker", "browser");
  return {
    plugins: [
      withoutMapsOfPackages,
      cloudflareTest({
        main: options.main,
        miniflare: {
          compatibilityDate,
          compatibilityFlags: ["nodejs_compat"],
          durableObjects,
          r2Buckets: options.r2Buckets ?? [],
          workerLoaders: Object.fromEntries((options.workerLoaders ?? []).map((name) => [name, {}])),
          bindings: options.bindings ?? {},
        },
      }),
    ],
    resolve: { ...resolve, alias: options.alias ?? [] },
    ssr: ssr ?? {},
    // A `*.node.test.ts` file needs the machine's disk or processes, which workerd does not have.
    test: { name: "workers", testTimeout: TIMEOUT_MS, include: options.include, exclude: ["src/**/*.node.test.ts"] },
  };
}
