/** Translates a component, or a module in JavaScript that has runes, in an isolate that has the app's `svelte/compiler`. */
export const SVELTE_PROGRAM = `
import { compile as compileComponent, compileModule } from "svelte/compiler";

export function compile({ filename, source }) {
  try {
    const options = { filename, generate: "client", dev: false };
    const { js } = /\\.svelte\\.[jt]s$/.test(filename)
      ? compileModule(source, options)
      : compileComponent(source, { ...options, css: "injected" });
    return { code: js.code, lang: "js", styles: [], maps: [{ line: 0, mappings: js.map.mappings }] };
  } catch (error) {
    const place = error.start ? { line: error.start.line, column: error.start.column + 1 } : {};
    return { problem: { ...place, message: String(error.message ?? error) } };
  }
}
`;
