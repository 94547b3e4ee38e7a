/** Translates a single-file component, in an isolate that has the app's `vue/compiler-sfc`. */
export const VUE_PROGRAM = `
import { compileScript, compileStyle, compileTemplate, parse } from "vue/compiler-sfc";

// The compiler shows where in the file something is: "3  |  let a = ;" and below it "   |          ^". Babel's own
// numbers are those of the block, as those of style sheets are.
const placeOf = (error, block) => {
  const start = error.loc?.start;
  if (typeof start?.line === "number") return { line: start.line, column: start.column };
  const [, line, before] = /^(\\d+) *\\|.*\\n *\\|  ( *)\\^/m.exec(error.message) ?? [];
  if (line !== undefined) return { line: Number(line), column: before.length + 1 };
  return block && typeof error.line === "number" ? { line: block.loc.start.line + error.line - 1, column: error.column ?? 1 } : {};
};

const failed = (error, block) => {
  const [said] = String(error.reason ?? error.message ?? error).split("\\n\\n", 1);
  const message = said.replace("[vue/compiler-sfc] ", "").replace(/ \\(\\d+:\\d+\\)$/, "");
  return { problem: { ...placeOf(error, block), message } };
};

const lineCount = (text) => text.split("\\n").length;

// To put two maps into one, the compiler makes code from strings, which cannot be done here: it sees no map of the template.
const withoutMap = (context) => {
  const { map } = context;
  const toJSON = map?.toJSON;
  if (map) map.toJSON = () => undefined;
  return { context, map: () => toJSON?.call(map) ?? { mappings: "" } };
};

export function compile({ filename, source, id }) {
  const { descriptor, errors } = parse(source, { filename });
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
  const maps = [];
  let lang = "js";
  let bindings;
  if (script || scriptSetup) {
    let inlined;
    const options = {
      id,
      genDefaultAs: "__component",
      inlineTemplate: Boolean(scriptSetup),
      templateOptions: { id, scoped, compilerOptions: { ...compilerOptions, onContextCreated: (context) => (inlined = withoutMap(context)) } },
    };
    let made;
    try {
      made = compileScript(descriptor, options);
    } catch (error) {
      return failed(error);
    }
    lang = made.lang === "ts" || made.lang === "tsx" ? "ts" : "js";
    bindings = made.bindings;
    lines.push(made.content);
    if (made.map) maps.push({ line: 0, mappings: made.map.mappings });
    const at = inlined ? made.content.indexOf(inlined.context.code) : -1;
    if (at !== -1) maps.push({ line: lineCount(made.content.slice(0, at)) - 1, mappings: inlined.map().mappings });
  } else lines.push("const __component = {};");
  if (template && !scriptSetup) {
    const made = compileTemplate({ source: template.content, ast: template.ast, filename, id, scoped, compilerOptions: { ...compilerOptions, bindingMetadata: bindings } });
    if (made.errors.length > 0) return failed(made.errors[0]);
    if (made.map) maps.push({ line: lineCount(lines.join("\\n")), mappings: made.map.mappings });
    lines.push(made.code.replace(/^export function render/m, "function render"), "__component.render = render;");
  }
  if (scoped) lines.push("__component.__scopeId = " + JSON.stringify(scopeId) + ";");
  lines.push("__component.__file = " + JSON.stringify(filename) + ";", "export default __component;");
  const sheets = [];
  for (const style of styles) {
    if (style.lang && style.lang !== "css") return { problem: { message: "a preview does not translate styles in " + style.lang } };
    if (style.module) return { problem: { message: "a preview does not have CSS modules in components; take a .module.css file" } };
    const made = compileStyle({ source: style.content, filename, id: scopeId, scoped: Boolean(style.scoped) });
    if (made.errors.length > 0) return failed(made.errors[0], style);
    sheets.push(made.code);
  }
  return { code: lines.join("\\n"), lang, styles: sheets, maps };
}
`;
