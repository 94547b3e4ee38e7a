export { createNodeStorage, type NodeStorage } from "./node-storage.ts";
