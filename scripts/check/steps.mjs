/** Everything that is checked without running the code, cheapest first: a name, and a command of node_modules/.bin. */
export const steps = [
  { name: "format", command: ["oxfmt", "--check"], fix: "pnpm format" },
  { name: "lint", command: ["oxlint"] },
  // `tsc -b` takes no notice of a change in an extended config, so its cached answer can be wrong.
  { name: "types", command: ["tsc", "-b", "--force"] },
  { name: "unused code", command: ["knip"] },
  // Builds every package; publint and attw look at the result.
  { name: "packages", command: ["tsdown"] },
];
