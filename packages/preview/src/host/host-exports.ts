import { TenrecError } from "@tenrec/protocol";
import type { PreviewDoor } from "./preview-door.ts";

/** What the class of an object that hosts previews must answer over RPC: what `LivePreviews.door` answers. */
export interface PreviewObject {
  previewDoor(session: string, app: string): PreviewDoor | Promise<PreviewDoor>;
}

/** What a Worker must export beside its agent: the class of this package that the platform itself makes instances of. */
export interface HostExports {
  PreviewGateway(options: { props: GatewayProps }): Fetcher;
}

/** What is used of the object that hosts previews. */
export interface HostState {
  readonly id: DurableObjectId;
  readonly storage: DurableObjectStorage;
  readonly facets: DurableObjectFacets;
  readonly exports: object;
}

/** Which app a gateway is of. The app cannot change it. */
export interface GatewayProps {
  /** The binding of the object's class. A stub in its place would be broken for good once the object has died. */
  readonly binding: string;
  /** The object's id in hex, and its name where it has one: an agent that is woken by its id alone does not know it. */
  readonly object: { readonly id: string; readonly name?: string };
  readonly session: string;
  readonly tree: string;
  readonly app: string;
  /** Whether it is the app's way to the network, and not to what it is bound to. */
  readonly outbound: boolean;
}

/** Throws `not-configured` where the Worker does not export the class. */
export function hostExports(ctx: HostState): HostExports {
  const all = ctx.exports as Partial<HostExports> | undefined;
  if (all?.PreviewGateway) return all as HostExports;
  const how = 'Add to the main module: export { PreviewGateway } from "@tenrec/preview";';
  throw new TenrecError("not-configured", { what: "The hosting of previews", how });
}
