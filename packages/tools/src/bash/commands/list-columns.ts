/** What `ls -l` shows of a file's kind and permissions. */
export function modeText(stat: {
  readonly mode: number;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
}): string {
  if (stat.isSymbolicLink) return "lrwxrwxrwx";
  const bits = Array.from("rwxrwxrwx", (letter, at) => (stat.mode & (0o400 >> at) ? letter : "-")).join("");
  return `${stat.isDirectory ? "d" : "-"}${bits}`;
}

/** Bytes for people, as with `-h`: `4.0K`, `12M`. */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < 4; unit += 1) size /= 1024;
  if (unit === 0) return String(bytes);
  return `${size < 10 ? (Math.ceil(size * 10) / 10).toFixed(1) : Math.ceil(size)}${"KMGT".charAt(unit - 1)}`;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** A time as `ls -l` shows one of the last months, in UTC. */
export function timeText(time: Date): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  const day = String(time.getUTCDate()).padStart(2);
  return `${MONTHS[time.getUTCMonth()]} ${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`;
}
