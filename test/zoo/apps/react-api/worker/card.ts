export interface Card {
  id: number;
  title: string;
  done: boolean;
}
