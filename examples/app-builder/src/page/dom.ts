/** An element of index.html. Throws when it is not there or not of that kind. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} #${id}`);
  return found;
}

/** An element with text in it, which is never read as markup. */
export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  className: string,
  text: string,
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}
