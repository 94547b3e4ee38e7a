/** What guards a Worker's agents. Both are secrets of the Worker. */
export interface AccessEnv {
  /** Who has it may use the agents. */
  readonly TENREC_TOKEN?: string;
  /** Key for object names and tickets. Keep it when the token changes: with another key, every workspace is another. */
  readonly TENREC_SECRET?: string;
  /**
   * Where previews are, beside a path of the agent's own host: a wildcard such as `*.preview.example.com`, or the address of
   * a Worker with `routePreviews`, such as `https://preview.me.workers.dev`. No secret.
   */
  readonly TENREC_PREVIEW_HOST?: string;
}

/** How long a ticket for a socket is good, in milliseconds. */
const TICKET_MS = 60_000;

const encoder = new TextEncoder();

export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Of what `base64url` wrote; throws for anything else. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
}

/** HMAC-SHA-256, in base64url. */
export async function hmac(secret: string, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return base64url(new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text))));
}

/** Compares in a time that does not depend on where two texts differ. */
export async function equalTexts(a: string, b: string): Promise<boolean> {
  const [x, y] = await Promise.all([a, b].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))));
  return x !== undefined && y !== undefined && crypto.subtle.timingSafeEqual(x, y);
}

/** The name of the object behind a workspace: nobody without the secret can compute it. */
export function objectName(secret: string, user: string, agent: string, name: string): Promise<string> {
  return hmac(secret, JSON.stringify(["name", user, agent, name]));
}

/** Who sends a request, and what they may do. */
export interface Identity {
  /** Whose workspaces they are. */
  readonly user: string;
  /** A spectator may watch and read, and change nothing. */
  readonly role: Role;
}

export type Role = "owner" | "spectator";

function signed(secret: string, { user, role }: Identity, workspace: string, expires: number): Promise<string> {
  return hmac(secret, JSON.stringify(["ticket", user, role, workspace, expires]));
}

/** A ticket lets a browser, which cannot set headers on a socket, open sockets to one workspace for a minute. */
export async function makeTicket(secret: string, who: Identity, workspace: string, now: number): Promise<string> {
  const expires = now + TICKET_MS;
  const encoded = base64url(encoder.encode(JSON.stringify([who.user, who.role])));
  return `${expires}.${encoded}.${await signed(secret, who, workspace, expires)}`;
}

/** Whom a ticket was made for; undefined when it is not valid for this workspace, or not any more. */
export async function readTicket(
  secret: string,
  ticket: string,
  workspace: string,
  now: number,
): Promise<Identity | undefined> {
  const [expires, encoded, signature] = ticket.split(".");
  if (!expires || !encoded || !signature || !(Number(expires) > now)) return undefined;
  try {
    const [user, role] = JSON.parse(new TextDecoder().decode(fromBase64(encoded))) as [string, Role];
    const who = { user, role };
    return (await equalTexts(signature, await signed(secret, who, workspace, Number(expires)))) ? who : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a request carries the token as `Authorization: Bearer …`. */
export async function hasToken(request: Request, token: string): Promise<boolean> {
  const [scheme, given] = (request.headers.get("authorization") ?? "").split(" ");
  return scheme?.toLowerCase() === "bearer" && given !== undefined && (await equalTexts(given, token));
}
