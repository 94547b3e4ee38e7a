import type { Entry } from "./entries";
import style from "./style.txt";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

export function page(entries: Entry[], problem?: string): string {
  const items = entries.map(
    ({ id, name, message, likes }) =>
      `<li id="entry-${id}"><b>${escape(name)}</b>: ${escape(message)} (${likes})` +
      `<form method="post" action="/like"><button name="id" value="${id}">Like</button></form></li>`,
  );
  return `<!doctype html>
<title>Guestbook</title>
<style>${style.trim()}</style>
${problem ? `<p role="alert">${escape(problem)}</p>\n` : ""}<ol>${items.join("")}</ol>
<form method="post" action="/sign">
  <input name="name" required><textarea name="message"></textarea><button>Sign</button>
</form>`;
}
