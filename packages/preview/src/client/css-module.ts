/** A style sheet whose classes have names of their own. */
export interface CssModule {
  readonly css: string;
  /** By the name that is written. */
  readonly classes: Readonly<Record<string, string>>;
}

// What has no selectors in it, what is global by wish, and a class. What is not closed goes on to the end, as in a browser: looked
// for again from each of its places, the end of a large sheet would keep the agent busy for minutes.
const TOKEN =
  /\/\*[^]*?(?:\*\/|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|url\([^)]*\)?|:global\(([^)]*)\)?|[{};]|\.(-?[A-Za-z_][\w-]*)/g;

/** Gives each class of a CSS module a name that ends with `suffix`: https://github.com/css-modules/css-modules */
export function scopeClasses(css: string, suffix: string): CssModule {
  const classes: Record<string, string> = {};
  const selectors = selectorRanges(css);
  let next = 0;
  const isSelector = (at: number): boolean => {
    while ((selectors[next]?.[1] ?? Infinity) <= at) next += 1;
    return (selectors[next]?.[0] ?? Infinity) <= at;
  };
  const scoped = css.replace(
    TOKEN,
    (token: string, global: string | undefined, name: string | undefined, at: number) => {
      if (global !== undefined) return global;
      if (name === undefined || !isSelector(at)) return token;
      const own = `${name}_${suffix}`;
      classes[name] = own;
      return `.${own}`;
    },
  );
  return { css: scoped, classes };
}

/** From where to where selectors stand: what is before a `{`, from the `{`, `}` or `;` before it on. */
function selectorRanges(css: string): (readonly [start: number, end: number])[] {
  const ranges: (readonly [number, number])[] = [];
  let start = 0;
  for (const match of css.matchAll(TOKEN)) {
    const [token] = match;
    if (token.length !== 1) continue;
    if (token === "{" && !/^\s*@(?:media|supports|layer|font-face|keyframes)/.test(css.slice(start, match.index))) {
      ranges.push([start, match.index]);
    }
    start = match.index + 1;
  }
  return ranges;
}
