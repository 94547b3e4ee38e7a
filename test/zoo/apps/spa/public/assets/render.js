export function render(element, path, plans) {
  element.textContent = `${path}: ${plans.join(", ")}`;
}
