/** Whether a name is what a glob with `*` and `?` says; in time of their product, whatever the glob. */
export function globMatch(glob: string, name: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    if (glob[place] === "?" || (glob[place] === name[at] && glob[place] !== "*")) {
      at++;
      place++;
    } else if (glob[place] === "*") {
      star = place++;
      mark = at;
    } else if (star !== -1) {
      place = star + 1;
      at = ++mark;
    } else return false;
  }
  while (glob[place] === "*") place++;
  return place === glob.length;
}
