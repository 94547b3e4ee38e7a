export interface Book {
  id: number;
  title: string;
  author: string;
}

export const books: readonly Book[] = [
  { id: 1, title: "Solaris", author: "Stanisław Lem" },
  { id: 2, title: "Kindred", author: "Octavia E. Butler" },
  { id: 3, title: "Picnic", author: "A. & B. Strugatsky" },
];
