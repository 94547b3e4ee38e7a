/** Writes out the classes that are used, in an isolate that has the app's `tailwindcss`. `STYLES` and `PLUGINS` are put before it. */
export const TAILWIND_PROGRAM = `
import { compile as compileSheet } from "tailwindcss";

export async function compile({ source, candidates, sheets }) {
  try {
    const compiler = await compileSheet(source, {
      base: "/",
      loadStylesheet: async (id) => {
        const content = sheets[id] ?? STYLES[id];
        if (content === undefined) throw new Error("there is no style sheet " + id);
        return { path: id, base: "/", content };
      },
      loadModule: async (id, _, hint) => {
        if (!(id in PLUGINS)) throw new Error("a preview does not load the " + hint + " " + id);
        return { path: id, base: "/", module: PLUGINS[id].default ?? PLUGINS[id] };
      },
    });
    return { code: compiler.build([...candidates]), lang: "css", styles: [] };
  } catch (error) {
    return { problem: { message: String(error.message ?? error) } };
  }
}
`;
