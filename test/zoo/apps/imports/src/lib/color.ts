export enum Color {
  Red,
  Green = 5,
  Blue,
}

export const enum Size {
  Small = "s",
  Large = "l",
}

export const nameOf = (color: Color): string => Color[color]!;
