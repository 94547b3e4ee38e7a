/** Whose point it is. */
type Owner = "tree";

/** A moment at which workerd is killed. */
export interface Point {
  readonly name: string;
  readonly owner: Owner;
  /** What is going on: a scenario of the owner. */
  readonly scenario: string;
  /** The `nth` moment of that kind in it, counted from 1. */
  readonly boundary: string;
  readonly nth: number;
  /** True when nothing else can run while workerd waits there for its end. */
  readonly blocks?: boolean;
}

const inBucket = "move a content to the bucket";
const inParts = "move a content to the bucket in parts";
const sweep = "sweep what a removed head had";

const tree: readonly Omit<Point, "owner">[] = [
  { name: "a put is on its way", scenario: inBucket, boundary: "during put", nth: 1 },
  { name: "a part is on its way", scenario: inParts, boundary: "during uploadPart", nth: 1 },
  { name: "the completion of an upload is on its way", scenario: inParts, boundary: "during complete", nth: 1 },
  { name: "objects are being deleted", scenario: "delete a large file", boundary: "during delete", nth: 1 },
  { name: "a key is on record, no object yet", scenario: inBucket, boundary: "before put", nth: 1 },
  { name: "an upload is begun, and not on record", scenario: inParts, boundary: "after create", nth: 1 },
  { name: "one part of two is there", scenario: inParts, boundary: "after uploadPart", nth: 1 },
  { name: "the object is there, the rows too", scenario: inBucket, boundary: "after put", nth: 1 },
  { name: "the parts are an object, the rows are there", scenario: inParts, boundary: "after complete", nth: 1 },
  { name: "objects are condemned", scenario: "delete a large file", boundary: "before delete", nth: 1 },
  { name: "objects are deleted, and on record", scenario: "delete a large file", boundary: "after delete", nth: 1 },
  { name: "a file is being read from the bucket", scenario: "read from the bucket", boundary: "after get", nth: 2 },
  {
    name: "the rows of a moved content are deleted, not committed",
    scenario: inBucket,
    boundary: "INSERT tenrec_blobs",
    nth: 1,
    blocks: true,
  },
  { name: "nodes are being swept", scenario: sweep, boundary: "before a commit", nth: 2, blocks: true },
  { name: "nodes are swept, contents not yet", scenario: sweep, boundary: "after a commit", nth: 2, blocks: true },
  { name: "contents are being swept", scenario: sweep, boundary: "DELETE tenrec_blobs", nth: 9, blocks: true },
  {
    name: "a rename of 20 MiB is not committed",
    scenario: "rename 20 MiB",
    boundary: "INSERT journal",
    nth: 1,
    blocks: true,
  },
  {
    name: "a rename of 20 MiB is committed",
    scenario: "rename 20 MiB",
    boundary: "after a commit",
    nth: 2,
    blocks: true,
  },
  {
    name: "20 MiB shrink, not committed",
    scenario: "shrink 20 MiB",
    boundary: "INSERT journal",
    nth: 1,
    blocks: true,
  },
  { name: "20 MiB are smaller, the object is there", scenario: "shrink 20 MiB", boundary: "before delete", nth: 1 },
  { name: "20 MiB are deleted, the object is too", scenario: "delete 20 MiB", boundary: "after delete", nth: 1 },
  {
    name: "60 of 100 MiB have arrived",
    scenario: "write a stream of 100 MiB",
    boundary: "INSERT tenrec_blobs",
    nth: 60,
    blocks: true,
  },
];

/** All points, those of every owner. */
export const points: readonly Point[] = tree.map((point) => ({ ...point, owner: "tree" }));

/** Commits one after another, of which each was acknowledged. */
export interface CommitLoop {
  readonly name: string;
  readonly owner: Owner;
}

/** How often a loop of acknowledged commits is killed at a random moment; each is a point of its own. */
export const commitLoops: readonly CommitLoop[] = [1, 2].map((number) => ({
  name: `acknowledged commits, killed at a random moment (${number})`,
  owner: "tree",
}));
