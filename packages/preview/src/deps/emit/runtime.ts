/**
 * The module that all packages of an app share: it runs the files of a package when they are first asked for, as Node does
 * with CommonJS, and gives each importer what it expects of the other kind of module. The rules of `default` are those of
 * esbuild's `__toESM`.
 */
export const RUNTIME: string = `const own = { configurable: true, enumerable: true };

/** What an ES module sees of a module. */
export function namespaceOf(module, node) {
  const { exports } = module;
  if (module.esm || (!node && exports && exports.__esModule && !module.builtin)) return exports;
  if (module.namespace) return module.namespace;
  const isObject = (typeof exports === "object" && exports !== null) || typeof exports === "function";
  // Names that come later are found in what it is made from.
  const namespace = Object.create(isObject ? exports : null, { __esModule: { value: true } });
  for (const key of isObject ? Object.keys(exports) : []) {
    if (key !== "__esModule") Object.defineProperty(namespace, key, { ...own, get: () => exports[key] });
  }
  const value = module.builtin ? (exports.default ?? exports) : exports;
  Object.defineProperty(namespace, "default", { ...own, value });
  if (module.loaded) module.namespace = namespace;
  return namespace;
}

export const builtin = (exports) => ({ exports, builtin: true, loaded: true });

/** A module that is not here: reading from it gives nothing and says so once. */
export function absent(name) {
  let told = false;
  const exports = new Proxy({}, {
    get(_, key) {
      if (typeof key === "string" && key !== "__esModule" && key !== "default" && key !== "then" && !told) {
        told = true;
        console.warn(name + " is not there in a browser; " + key + " of it is undefined");
      }
      return undefined;
    },
  });
  return { exports, loaded: true };
}

export const nothing = () => ({ exports: {}, loaded: true });

/** Files that only a machine of its own can run, and packages that look for such a file. */
const NATIVE = /\\.node$|^(?:bindings|node-gyp-build|(?:@mapbox\\/)?node-pre-gyp|prebuild-install)$/;

export function link(files, name) {
  const modules = new Map();
  const get = (path) => {
    const known = modules.get(path);
    if (known) return known;
    const file = files[path];
    const module = { id: path, exports: {}, esm: file.esm === true, loaded: false, children: [], paths: [] };
    modules.set(path, module);
    const load = (specifier) => {
      if (NATIVE.test(specifier)) {
        const message = name + " is a native addon: " + path + " asks for " + specifier +
          ", and a Worker runs JavaScript and WebAssembly only. Take another package in its place.";
        throw Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
      }
      const target = Object.hasOwn(file.to, specifier) ? file.to[specifier] : undefined;
      if (typeof target === "string") return get(target);
      if (target) return target();
      const message = "Cannot find module '" + specifier + "', which " + path + " of " + name + " asks for";
      throw Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });
    };
    const require = (specifier) => {
      const found = load(specifier);
      if (file.esm) return namespaceOf(found, file.node);
      return found.builtin ? (found.exports.default ?? found.exports) : found.exports;
    };
    require.cache = {};
    require.resolve = (specifier) => specifier;
    const $import = async (specifier) => namespaceOf(load(specifier), file.node);
    try {
      file.run.call(file.esm ? undefined : module.exports, module, module.exports, require, $import);
      module.loaded = true;
    } catch (error) {
      // The next one to ask gets the error too, not half a module.
      modules.delete(path);
      throw error;
    }
    return module;
  };
  return get;
}
`;
