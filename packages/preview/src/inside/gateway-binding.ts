/** What the app's isolate can ask of the object that hosts it: the binding that the stand-ins are made of. */
export interface GatewayBinding {
  /** A request to a Durable Object or to the assets, as the headers `tenrec-preview-*` say. */
  fetch(request: Request): Promise<Response>;
  /** Calls a method of the storage of a binding. */
  storage(kind: "kv" | "r2" | "d1", binding: string, method: string, args: readonly unknown[]): Promise<unknown>;
  /** Calls a method of a Durable Object. What it answers is an RPC promise: calls on it go on in the same round trip. */
  call(object: ObjectAddress, method: string, args: readonly unknown[]): Promise<unknown>;
  /** What a Durable Object has under a name that is no method. */
  read(object: ObjectAddress, property: string): Promise<unknown>;
  setAlarm(object: ObjectAddress, time: number | null): Promise<void>;
  getAlarm(object: ObjectAddress): Promise<number | null>;
}

export interface ObjectAddress {
  readonly className: string;
  /** 64 hex digits. */
  readonly id: string;
  readonly name?: string;
}

/** The bindings that an app's configuration asks for, as data. */
export interface BindingList {
  readonly kv: readonly string[];
  readonly d1: readonly string[];
  readonly r2: readonly string[];
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  readonly services: readonly { readonly binding: string; readonly entrypoint?: string }[];
  readonly assets?: string;
  readonly unsupported: readonly { readonly binding: string; readonly feature: string }[];
}

export const OBJECT_HEADER = "tenrec-preview-object";
export const ASSETS_HEADER = "tenrec-preview-assets";
/** On a response: the app threw, and the body says what, as JSON. */
export const EXCEPTION_HEADER = "tenrec-preview-exception";
/** On a response: the app was stopped before it was asked, so it has done nothing. The body says why, in the same way. */
export const STOPPED_HEADER = "tenrec-preview-stopped";
