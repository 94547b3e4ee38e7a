/** Translates TypeScript and JSX with all that there is in them, in an isolate that has Babel. */
export const SCRIPT_PROGRAM = `
import { transform } from "@babel/standalone/babel.min.js";

export function compile({ filename, source, script: { jsx, legacyDecorators } }) {
  const isTypeScript = /\\.[cm]?tsx?$/.test(filename);
  const react = {
    runtime: jsx.runtime,
    development: false,
    ...(jsx.runtime === "automatic"
      ? { importSource: jsx.importSource }
      : { pragma: jsx.factory, pragmaFrag: jsx.fragment }),
  };
  const decorators = legacyDecorators
    ? [["proposal-decorators", { version: "legacy" }], "transform-class-properties", "transform-class-static-block"]
    : [["proposal-decorators", { version: "2023-11" }]];
  try {
    const { code } = transform(source, {
      filename,
      presets: [["react", react], ...(isTypeScript ? ["typescript"] : [])],
      plugins: decorators,
      sourceType: "unambiguous",
      configFile: false,
      babelrc: false,
      retainLines: true,
      compact: false,
    });
    return { code, lang: "js", styles: [] };
  } catch (error) {
    const place = error.loc ? { line: error.loc.line, column: error.loc.column + 1 } : {};
    const message = String(error.message ?? error).split("\\n", 1)[0];
    return { problem: { ...place, message: message.replace(filename + ": ", "").replace(/ \\(\\d+:\\d+\\)$/, "") } };
  }
}
`;
