import type { ParserOptions } from "@babel/parser";
import type { SyntaxFault } from "./syntax-fault.ts";

type Plugins = NonNullable<ParserOptions["plugins"]>;

const SCRIPT = /\.([cm]?[jt]s|[jt]sx)$/;

/** Whether a file is JavaScript or TypeScript, by its name. */
export function isScript(path: string): boolean {
  return SCRIPT.test(path);
}

/** What a parser throws or lists. */
interface ParserError {
  readonly message: string;
  readonly loc: { readonly line: number; readonly column: number };
  readonly reasonCode?: string;
}

/** The faults of a script's grammar, the first of them, or several that a parser can go on after. No types are checked. */
export async function scriptFaults(path: string, text: string): Promise<SyntaxFault[]> {
  // Half a megabyte, which most calls do not need.
  const { parse } = await import("@babel/parser");
  const faultsAs = (sourceType: "module" | "script"): SyntaxFault[] => {
    const options = { ...optionsFor(path, text), sourceType };
    return faultsOf(() => parse(text, options).errors as readonly ParserError[] | null);
  };
  const faults = faultsAs("module");
  // Some of what a module may not have is right in a script, and the name does not always tell which it is.
  return faults.length > 0 && /\.c?js$/.test(path) && faultsAs("script").length === 0 ? [] : faults;
}

/** What `parse` throws or gives. A syntax that needs a plugin is none that we know better. */
export function faultsOf(parse: () => readonly ParserError[] | null | undefined): SyntaxFault[] {
  const errors = catchErrors(parse);
  return errors
    .filter(({ reasonCode = "" }) => !reasonCode.startsWith("Missing"))
    .map(({ message, loc }) => ({
      line: loc.line,
      column: loc.column + 1,
      message: message.replace(/ \(\d+:\d+\)$/, ""),
    }));
}

function catchErrors(parse: () => readonly ParserError[] | null | undefined): readonly ParserError[] {
  try {
    return parse() ?? [];
  } catch (error) {
    if (error instanceof Error && "loc" in error) return [error as unknown as ParserError];
    throw error;
  }
}

function optionsFor(path: string, text: string): ParserOptions {
  const isTyped = /\.([cm]?ts|tsx)$/.test(path);
  const plugins: Plugins = isTyped ? [["typescript", { dts: /\.d\.[cm]?ts$/.test(path) }]] : [];
  if (!/\.[cm]?ts$/.test(path)) plugins.push("jsx");
  if (!isTyped && text.slice(0, 2000).includes("@flow")) plugins.push("flow");
  plugins.push("decorators-legacy");
  return {
    allowAwaitOutsideFunction: true,
    errorRecovery: true,
    allowReturnOutsideFunction: true,
    // A name that is not declared is for a type check to find.
    allowUndeclaredExports: true,
    plugins,
  };
}
