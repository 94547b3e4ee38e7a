/** Translates a single-file component, in an isolate that has the app's `vue/compiler-sfc`. */
export const VUE_PROGRAM = `
import { compileScript, compileStyle, compileTemplate, parse } from "vue/compiler-sfc";

const failed = (error) => {
  const start = error.loc?.start;
  const place = start && typeof start.line === "number" ? { line: start.line, column: start.column } : {};
  return { problem: { ...place, message: String(error.message ?? error) } };
};

export function compile({ filename, source, id }) {
  const { descriptor, errors } = parse(source, { filename, sourceMap: false });
  if (errors.length > 0) return failed(errors[0]);
  const { script, scriptSetup, template, styles, customBlocks } = descriptor;
  for (const block of [script, scriptSetup, template, ...styles]) {
    if (block?.src) return { problem: { message: "a preview does not read blocks of a component from other files: " + block.src } };
  }
  if (template?.lang && template.lang !== "html") return { problem: { message: "a preview does not translate templates in " + template.lang } };
  const scoped = styles.some((style) => style.scoped);
  const scopeId = "data-v-" + id;
  const compilerOptions = scoped ? { scopeId } : {};
  const lines = [];
  let lang = "js";
  let bindings;
  if (script || scriptSetup) {
    const made = compileScript(descriptor, {
      id,
      genDefaultAs: "__component",
      // To put source maps together takes code that is made from strings.
      sourceMap: false,
      inlineTemplate: Boolean(scriptSetup),
      templateOptions: { id, scoped, compilerOptions },
    });
    lang = made.lang === "ts" || made.lang === "tsx" ? "ts" : "js";
    bindings = made.bindings;
    lines.push(made.content);
  } else lines.push("const __component = {};");
  if (template && !scriptSetup) {
    const made = compileTemplate({ source: template.content, filename, id, scoped, compilerOptions: { ...compilerOptions, bindingMetadata: bindings } });
    if (made.errors.length > 0) return failed(made.errors[0]);
    lines.push(made.code.replace(/^export function render/m, "function render"), "__component.render = render;");
  }
  if (scoped) lines.push("__component.__scopeId = " + JSON.stringify(scopeId) + ";");
  lines.push("__component.__file = " + JSON.stringify(filename) + ";", "export default __component;");
  const sheets = [];
  for (const style of styles) {
    if (style.lang && style.lang !== "css") return { problem: { message: "a preview does not translate styles in " + style.lang } };
    if (style.module) return { problem: { message: "a preview does not have CSS modules in components; take a .module.css file" } };
    const made = compileStyle({ source: style.content, filename, id: scopeId, scoped: Boolean(style.scoped) });
    if (made.errors.length > 0) return failed(made.errors[0]);
    sheets.push(made.code);
  }
  return { code: lines.join("\\n"), lang, styles: sheets };
}
`;
