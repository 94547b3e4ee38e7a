export interface ContentType {
  /** Lower case, without parameters; empty when there is none. */
  readonly mediaType: string;
  readonly charset?: string;
}

/** The header `content-type`. */
export function parseContentType(header: string | null): ContentType {
  const [first = "", ...parameters] = (header ?? "").split(";");
  const mediaType = first.trim().toLowerCase();
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/i.exec(parameter)?.[1])
    .find((label) => label !== undefined);
  return { mediaType, ...(charset === undefined ? {} : { charset }) };
}

export function isHtml({ mediaType }: ContentType): boolean {
  return mediaType === "text/html" || mediaType === "application/xhtml+xml";
}

/** Whether a body of this type is text that a model can read, whatever its bytes look like. */
export function isTextType({ mediaType }: ContentType): boolean {
  return (
    mediaType.startsWith("text/") ||
    /[/+](json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-javascript|typescript|graphql|sql|x-sh|x-ndjson|jsonl)$/.test(
      mediaType,
    )
  );
}
