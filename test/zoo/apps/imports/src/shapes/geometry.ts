/** As older TypeScript groups things. */
export namespace Geometry {
  export interface Point {
    x: number;
    y: number;
  }

  export const origin: Point = { x: 0, y: 0 };

  export function distance(a: Point, b: Point = origin): number {
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  export namespace Units {
    export const perInch = 96;
  }
}
