interface Env {
  ROOMS: DurableObjectNamespace<import("./src/index").ChatRoom>;
}
