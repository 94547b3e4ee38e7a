export const double = (n: number): number => n * 2;
export const half = <T extends number>(n: T): number => n / 2;
export type { Item as MathItem } from "./stack";
