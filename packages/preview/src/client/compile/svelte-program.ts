/** Translates a component, in an isolate that has the app's `svelte/compiler`. */
export const SVELTE_PROGRAM = `
import { compile as compileComponent } from "svelte/compiler";

export function compile({ filename, source }) {
  try {
    const { js } = compileComponent(source, { filename, generate: "client", css: "injected", dev: false });
    return { code: js.code, lang: "js", styles: [], maps: [{ line: 0, mappings: js.map.mappings }] };
  } catch (error) {
    const place = error.start ? { line: error.start.line, column: error.start.column + 1 } : {};
    return { problem: { ...place, message: String(error.message ?? error) } };
  }
}
`;
