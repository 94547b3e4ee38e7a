import type { Card } from "../worker/card";
import styles from "./card-view.module.css";

export const CardView = ({ title, done }: Card) => <article className={done ? styles["done"] : styles["open"]}>{title}</article>;
