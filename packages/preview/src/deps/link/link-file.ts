import { type FileUse, useOf } from "../tarball/wanted-files.ts";
import { type CodeDraft, draftCode } from "./link-code.ts";
import { draftStyle } from "./link-style.ts";
import type { LinkTarget, PackageManifest } from "./package-manifest.ts";

/** What a file of any sort is as code: a style puts itself into the page of a browser, a text is a string, bytes are an asset. */
export function draftFile(path: string, bytes: Uint8Array, manifest: PackageManifest, target: LinkTarget): CodeDraft {
  const use: FileUse = useOf(path) ?? "code";
  if (use === "binary") return { ...constant("undefined"), kind: "asset" };
  const text = new TextDecoder().decode(bytes);
  switch (use) {
    case "code":
      return draftCode(path, text, manifest, target);
    case "json":
      return draftJson(path, text);
    case "css":
      return target.platform === "browser" ? draftStyle(text) : constant(JSON.stringify(text));
    case "text":
      // A browser wants the address of an image.
      return target.platform === "browser" && path.endsWith(".svg")
        ? { ...constant("undefined"), kind: "asset" }
        : constant(JSON.stringify(text));
  }
}

function constant(value: string): CodeDraft {
  const code = `module.exports = ${value};`;
  return { kind: "cjs", node: false, code, imports: new Map(), names: [], stars: [] };
}

function draftJson(path: string, text: string): CodeDraft {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
    return { ...constant(JSON.stringify(value)), names: names.filter((name) => /^[A-Za-z_$][\w$]*$/.test(name)) };
  } catch (error) {
    const problem = `${path} is no JSON: ${error instanceof Error ? error.message : String(error)}`;
    return { ...constant("undefined"), code: `throw new SyntaxError(${JSON.stringify(problem)});`, problem };
  }
}
