const TOKEN = "tenrec-token";
const SESSION = "tenrec-session";

/** What this tab is to open. */
export interface Credentials {
  readonly token: string | undefined;
  readonly session: string | undefined;
}

/**
 * Token and session from the address, else from this tab's storage. They are taken out of the address at once: it is
 * shown, kept in the history and copied.
 */
export function takeCredentials(): Credentials {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [token, session] = [fragment.get("token"), fragment.get("session")];
  if (token !== null) keepToken(token);
  if (session !== null) keepSession(session);
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  return {
    token: sessionStorage.getItem(TOKEN) ?? undefined,
    session: sessionStorage.getItem(SESSION) ?? undefined,
  };
}

export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
}

export function keepSession(session: string): void {
  sessionStorage.setItem(SESSION, session);
}
