/** Which packages a package may import: the arrows of the design. `.oxlintrc.json` holds the same table. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  vfs: ["protocol"],
  tools: ["protocol"],
  runtime: ["protocol", "vfs", "tools"],
  preview: ["protocol"],
  testkit: ["protocol"],
  // The command composes what a Worker composes.
  tenrec: ["protocol", "vfs", "tools", "runtime", "testkit"],
};

/** What tests may import besides, which must not import the tested package back: for all, and by package. */
export const testArrows: { readonly all: readonly string[]; readonly [name: string]: readonly string[] } = {
  all: ["testkit"],
  // The tools are tested on the real tree, in Node and in a Durable Object.
  tools: ["vfs"],
  // Previews are shown by a real agent.
  preview: ["runtime"],
};
