export * from "./color";
export { default as Stack, type Item } from "./stack";
export * as math from "./math.js";
