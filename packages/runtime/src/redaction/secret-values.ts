/** Variables whose names say that they hold a secret. */
const SECRET_NAME = /(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;
const PUBLIC_NAME = /(?:^|_)(?:PUBLIC|PUBLISHABLE)_/i;

/** Shorter values of such variables are likely ordinary words. In UTF-16 units. */
const MIN_LENGTH = 8;

/** The forms in which a value may stand in a text: as it is, in JSON, in an address. */
function formsOf(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
}

/**
 * The values that must not be stored or shown: of every variable of the environment whose name says so, and what was
 * configured, by a variable's name or as the value itself.
 */
export function secretValues(env: object, configured: readonly string[]): string[] {
  const texts = Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const named = texts
    .filter(([name, value]) => SECRET_NAME.test(name) && !PUBLIC_NAME.test(name) && value.trim().length >= MIN_LENGTH)
    .map(([, value]) => value);
  const byName = new Map(texts);
  const given = configured.map((nameOrValue) => byName.get(nameOrValue) ?? nameOrValue);
  const values = [...named, ...given].map((value) => value.trim()).filter((value) => value !== "");
  return [...new Set(values.flatMap(formsOf))];
}
