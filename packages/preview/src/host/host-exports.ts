import { TenrecError } from "@tenrec/protocol";
import type { PreviewDoor } from "./preview-door.ts";

/** What the class of an object that hosts previews must answer over RPC: what `LivePreviews.door` answers. */
export interface PreviewObject {
  previewDoor(session: string, app: string): PreviewDoor | Promise<PreviewDoor>;
}

/** What a Worker must export beside its agent: the classes of this package that the platform itself makes instances of. */
export interface HostExports {
  PreviewGateway(options: { props: GatewayProps }): Fetcher;
  PreviewStorage: DurableObjectClass;
}

/** Which app a gateway is of. The app cannot change it. */
export interface GatewayProps {
  readonly object: Fetcher;
  readonly session: string;
  readonly tree: string;
  readonly app: string;
  /** Whether it is the app's way to the network, and not to what it is bound to. */
  readonly outbound: boolean;
}

/** Throws `not-configured` where the Worker does not export the classes. */
export function hostExports(ctx: DurableObjectState): HostExports {
  const all = ctx.exports as unknown as Partial<HostExports> | undefined;
  if (all?.PreviewGateway && all.PreviewStorage) return all as HostExports;
  const how = 'Add to the main module: export { PreviewGateway, PreviewStorage } from "@tenrec/preview";';
  throw new TenrecError("not-configured", { what: "The hosting of previews", how });
}
